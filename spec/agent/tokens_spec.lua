local tokens = require("panto.agent.tokens")

local MODEL = { input = 3, output = 15, cache_read = 0.3, cache_write = 3.75 }

local function close(expected, found)
  assert.is_true(math.abs(expected - found) < 1e-9, ("%s, not %s"):format(found, expected))
end

describe("the cost of an answer", function()
  it("is the sum over all four kinds of tokens", function()
    local usage = { input = 1000, output = 2000, cache_read = 100000, cache_write = 4000 }
    close(0.003 + 0.03 + 0.03 + 0.015, tokens.cost(usage, MODEL))
    close(0, tokens.cost({ input = 0, output = 0 }, {}))
  end)

  it("is unknown when a price that is needed, or a count, is unknown", function()
    local free = { input = 0, output = 0, cache_read = 0, cache_write = 0 }
    close(0, tokens.cost({ input = 9, output = 9, cache_read = 9 }, free))
    assert.is_nil(tokens.cost({ input = 1, output = 1, cache_read = 1 }, { input = 1, output = 1 }))
    assert.is_nil(tokens.cost({ input = 1 }, MODEL))
    assert.is_nil(tokens.cost(nil, MODEL))
    assert.is_nil(tokens.cost({ input = 1, output = 1 }, nil))
  end)
end)

describe("the totals", function()
  it("are sums as people write them, without the rest of binary fractions", function()
    local totals = tokens.new()
    for _ = 1, 3 do
      totals:add(
        { input = 81, output = 2, cache_read = 0, cache_write = 0 },
        { input = 1, output = 3.45 }
      )
    end
    assert.are.equal("0.0002637", require("panto.base.json").encode(totals.cost))
    assert.are.equal(
      "8.79e-05",
      require("panto.base.json").encode(
        tokens.cost({ input = 81, output = 2 }, { input = 1, output = 3.45 })
      )
    )
  end)

  it("stay exact over many answers", function()
    local totals = tokens.new()
    for _ = 1, 10000 do
      totals:add({ input = 1, output = 1, cache_read = 0, cache_write = 0 }, MODEL)
    end
    close(0.18, totals.cost)
    assert.are.equal(10000, totals.input)
    assert.are.equal(2, totals.context)
  end)

  it("keep what is known when something is unknown, and say so", function()
    local totals = tokens.new()
    totals:add({ input = 1000, output = 0 }, MODEL)
    totals:add(nil, MODEL)
    totals:add({ input = 1000, output = 0 }, MODEL)
    assert.is_nil(totals.cost)
    close(0.006, totals.known_cost)
    assert.are.equal(1000, totals.context)
  end)

  it("do not trust the counts of an answer that broke off", function()
    local totals = tokens.new()
    totals:add({ input = 1000, output = 1 }, MODEL, true)
    assert.is_nil(totals.cost)
    close(0.003015, totals.known_cost)
  end)

  it("come back as they were written down", function()
    local totals, again, former = tokens.new(), tokens.new(), tokens.new()
    totals:add({ input = 1000, output = 2 }, MODEL)
    totals:add(nil, MODEL)
    again:restore(totals:snapshot())
    assert.are.same(totals, again)
    former:restore({ input = 5, cost = 0.25 })
    close(0.25, former.known_cost)
  end)
end)
