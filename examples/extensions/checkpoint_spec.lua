local panto = require("panto")
local testing = require("panto.testing")

local function write(text)
  return { calls = { { name = "std.write", input = { path = "a.txt", content = text } } } }
end

describe("the checkpoint before each turn", function()
  local t ---@type panto.testing.Panto

  before_each(function()
    t = testing.new({
      files = { ["a.txt"] = "one" },
      script = { write("two"), { text = "Two." }, write("three"), { text = "Three." } },
    })
    panto.process.run({ file = "git", args = { "init", "--quiet" } })
    t:say("two, please")
    t:say("three, please")
    assert.equal("three", t:read("a.txt"))
  end)

  it("brings back the files of before the last turn", function()
    t:say("/rewind")
    assert.equal("two", t:read("a.txt"))
    assert.contains("before: three, please", t:screen())
  end)

  it("brings back those of an earlier one", function()
    t:say("/rewind 2")
    assert.equal("one", t:read("a.txt"))
  end)

  it("says so when there are not so many", function()
    t:say("/rewind 9")
    assert.equal("three", t:read("a.txt"))
    assert.equal("error", t:events("notice")[1].level)
  end)
end)
