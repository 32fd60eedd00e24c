local testing = require("panto.testing")

local function todo(...)
  return { calls = { { name = "todo", input = { items = { ... } } } } }
end

describe("the TODO list", function()
  local t ---@type panto.testing.Panto

  before_each(function()
    t = testing.new({
      script = {
        todo({ text = "look" }, { text = "mend" }),
        { text = "I begin." },
        todo({ text = "look", done = true }, { text = "mend" }),
        { text = "Looked." },
      },
    })
    t:say("go")
  end)

  it("stands above the editor", function()
    assert.equal("2 of 2 left", t:tool_result("todo"))
    assert.matches("☐ look\n☐ mend\n─", t:screen())
  end)

  it("follows the model", function()
    t:say("on")
    assert.matches("☑ look\n☐ mend", t:screen())
  end)

  it("outlives a reload", function()
    t:reload()
    assert.matches("☐ look\n☐ mend", t:screen())
  end)

  it("leaves the editor its keys", function()
    t:type("hello")
    assert.contains("› hello", t:screen())
  end)
end)
