local testing = require("panto.testing")

local function write(path)
  return { calls = { { name = "std.write", input = { path = path, content = "x" } } } }
end

describe("the gate", function()
  local t ---@type panto.testing.Panto

  before_each(function()
    t = testing.new({ script = { write("a.txt"), write("b.txt"), { text = "Done." } } })
    t:say("write")
    assert.contains("std.write a.txt", t:screen())
    assert.is_nil(t:read("a.txt"))
  end)

  it("lets a call through that the user allows, and asks again", function()
    t:press("enter")
    assert.equal("x", t:read("a.txt"))
    assert.contains("std.write b.txt", t:screen())
  end)

  it("asks no more when it is allowed for the session", function()
    t:press("down", "enter")
    assert.equal("x", t:read("a.txt"))
    assert.equal("x", t:read("b.txt"))
  end)

  it("denies on Esc, and the model is told why", function()
    t:press("escape")
    assert.is_nil(t:read("a.txt"))
    local output, result = t:tool_result("std.write")
    assert.is_true(result.is_error)
    assert.contains("the user does not want this call", output)
  end)
end)
