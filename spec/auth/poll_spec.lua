local play = require("auth_play")
local poll = require("panto.auth.poll")

describe("polling", function()
  local function run(states, prompt)
    local net, at = play.wire({}), 0
    local value, message = poll.run(net.wire, prompt, function()
      at = math.min(at + 1, #states)
      return table.unpack(states[at])
    end)
    for i, ms in ipairs(net.slept) do
      net.slept[i] = ms // 1 | 0
    end
    return net.slept, value, message
  end

  it("waits an interval before each poll and stops at once after the end", function()
    local states = { { "pending" }, { "done", "tokens" }, { "fail", "asked once too often" } }
    local slept, value = run(states, { interval_s = 5, expires_in_s = 900 })
    assert.same({ 5500, 5500 }, slept)
    assert.equal("tokens", value)
  end)

  it("slows down for good: to what the server says, or by five seconds", function()
    local states = { { "slow_down" }, { "slow_down", "20" }, { "slow_down", 3 }, { "done", 1 } }
    assert.same(
      { 5500, 11000, 22000, 27500 },
      (run(states, { interval_s = 5, expires_in_s = 900 }))
    )
  end)

  it("backs off while the network is away, and comes back to its pace", function()
    local states = { { "hiccup" }, { "hiccup" }, { "pending" }, { "done", 1 } }
    assert.same({ 1100, 2200, 4400, 1100 }, (run(states, { interval_s = 1, expires_in_s = 900 })))
  end)

  it("asks a last time when the code expires, and then gives up", function()
    local slept, value, message = run({ { "pending" } }, { interval_s = 5, expires_in_s = 8 })
    assert.same({ 5500, 2500 }, slept)
    assert.is_nil(value)
    assert.equal("the code has expired before it was entered", message)
  end)

  it(
    "reads the pace as numbers or texts, five seconds and 15 minutes when it is missing",
    function()
      assert.same({ 5, 900 }, { poll.pace({}) })
      assert.same({ 7, 60 }, { poll.pace({ interval = "7", expires_in = "60" }) })
      assert.same({ 5, 900 }, { poll.pace({ interval = "often", expires_in = 0 }) })
    end
  )
end)
