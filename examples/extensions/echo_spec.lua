local testing = require("panto.testing")

describe("the echo tool", function()
  it("gives the model its message back", function()
    local t = testing.new({
      script = {
        { calls = { { name = "echo", input = { message = "hello" } } } },
        { text = "It said hello." },
      },
    })
    assert.equal("It said hello.", t:say("say hello"))
    assert.equal("echo: hello", t:tool_result("echo"))
    assert.contains("It said hello.", t:screen())
  end)

  it("refuses a call without a message", function()
    local t = testing.new({
      script = { { calls = { { name = "echo", input = {} } } }, { text = "Sorry." } },
    })
    t:say("say nothing")
    local output, result = t:tool_result("echo")
    assert.is_true(result.is_error)
    assert.matches("message", output)
  end)
end)
