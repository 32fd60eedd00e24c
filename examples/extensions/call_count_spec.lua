local testing = require("panto.testing")

describe("the footer's call count", function()
  it("is not there before the first call", function()
    assert.is_nil(testing.new():screen():find("×"))
  end)

  it("counts by tool", function()
    local read = { name = "std.read", input = { path = "a.txt" } }
    local write = { name = "std.write", input = { path = "b.txt", content = "b" } }
    local t = testing.new({
      files = { ["a.txt"] = "a" },
      script = { { calls = { read, write } }, { calls = { read } }, { text = "Done." } },
    })
    t:say("go")
    local lines = t:lines()
    assert.equal("std.read ×2 · std.write ×1", lines[#lines])
  end)
end)
