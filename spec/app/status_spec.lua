require("bare_host")
local status = require("panto.app.status")
local tokens = require("panto.agent.tokens")

describe("app.status", function()
  it(
    "sets the footer's pieces anew when something that they say has changed, and only then",
    function()
      local setup =
        { cwd = "/work", choice = { ref = "p:m", model = {}, provider = { style = "x" } } }
      local totals, branch, sets = tokens.new(), nil, 0
      local footer = {
        set = function()
          sets = sets + 1
        end,
      }
      local function counts()
        status.show(footer, setup, totals, branch)
        status.show(footer, setup, totals, branch)
        return sets
      end
      assert.equal(1, counts())
      local expected = 1
      for _, field in ipairs({ "input", "output", "cache_read", "cache_write", "context" }) do
        totals[field] = totals[field] + 10
        expected = expected + 1
        assert.equal(expected, counts(), field)
      end
      totals.cost, totals.known_cost = 0.5, 0.5
      assert.equal(7, counts())
      totals.cost = nil
      assert.equal(8, counts())
      branch = "main"
      assert.equal(9, counts())
      setup.choice.model.context_window = 1000
      assert.equal(10, counts())
      setup.choice.ref = "p:n"
      assert.equal(11, counts())
      setup.effort = "high"
      assert.equal(12, counts())
      setup.choice = nil
      assert.equal(13, counts())
    end
  )

  it("shows an unknown cost, but none of a script without prices", function()
    local choice = { ref = "p:m", model = {}, provider = { style = "openai_chat" } }
    local totals = tokens.new()
    totals.cost = nil
    local function costs()
      local _, right = status.pieces({ cwd = "/work", choice = choice }, totals)
      local found = {}
      for _, piece in ipairs(right) do
        found[#found + 1] = piece.text:match("^%$.*")
      end
      return table.concat(found, " ")
    end
    assert.equal("$?", costs())
    choice.provider.style = "script"
    assert.equal("", costs())
    choice.model.input = 1
    assert.equal("$?", costs())
  end)
end)
