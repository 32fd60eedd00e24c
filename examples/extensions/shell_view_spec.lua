local testing = require("panto.testing")

describe("the view of a shell call", function()
  it("is one line", function()
    local t = testing.new({
      script = {
        { calls = { { name = "std.shell", input = { command = "printf '1\\n2\\n3\\n'" } } } },
        { text = "Three." },
      },
    })
    t:say("count")
    assert.matches("%$ printf '1\\n2\\n3\\n'  → %d+ lines", t:screen())
    assert.is_nil(t:screen():find("std.shell", 1, true))
  end)
end)
