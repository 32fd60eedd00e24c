local testing = require("panto.testing")

describe("/peek", function()
  local t ---@type panto.testing.Panto

  before_each(function()
    t = testing.new({ files = { ["notes.txt"] = "first\nsecond\n", ["src/main.lua"] = "" } })
  end)

  it("shows how a file begins", function()
    t:say("/peek notes.txt")
    assert.matches("first\n%s*second", t:screen())
  end)

  it("says so when there is no such file", function()
    t:say("/peek nothing")
    assert.contains("nothing", t:events("notice")[1].text)
    assert.equal("error", t:events("notice")[1].level)
  end)

  it("completes names, folder by folder", function()
    assert.same({ "notes.txt" }, t:complete("/peek n"))
    assert.same({ "src/" }, t:complete("/peek s"))
    assert.same({ "src/main.lua" }, t:complete("/peek src/"))
  end)
end)
