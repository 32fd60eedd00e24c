local testing = require("panto.testing")

describe("AGENTS.md", function()
  it("is a part of the system prompt of each request", function()
    local t = testing.new({
      files = { [".git/HEAD"] = "", ["AGENTS.md"] = "Tabs, never blanks." },
      script = { { calls = { { name = "std.read", input = { path = "AGENTS.md" } } } }, "Tabs." },
    })
    t:say("indent")
    local requests = t:requests()
    assert.equal(2, #requests)
    for _, request in ipairs(requests) do
      assert.contains("Tabs, never blanks.", request.system)
    end
  end)

  it("changes nothing where there is none", function()
    local t = testing.new({ files = { [".git/HEAD"] = "" }, script = { "Hm." } })
    t:say("indent")
    assert.is_nil(t:requests()[1].system:find("Tabs"))
  end)
end)
