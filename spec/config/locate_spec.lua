local locate = require("panto.config.locate")

local TEXT = [==[
title = "x" # providers.a.style
[providers.a]
style = "s"
extra_headers = { A = "b" }
note = """
style = "not this"
[tools]
"""
  [ providers . "my.local" ]
'base_url' = "u"
[tools]
allow = [
  "a",
]
deny = []
]==]

describe("locate", function()
  local function line(...)
    return locate.line(TEXT, { ... })
  end

  it("finds keys under headers, quoted and dotted", function()
    assert.equal(1, line("title"))
    assert.equal(3, line("providers", "a", "style"))
    assert.equal(10, line("providers", "my.local", "base_url"))
    assert.equal(15, line("tools", "deny"))
    assert.equal(1, locate.line("a.b.c = 1", { "a", "b", "c" }))
  end)

  it("finds the line of an inline table for a key in it", function()
    assert.equal(4, line("providers", "a", "extra_headers", "A"))
  end)

  it("takes the table around a key that is not there", function()
    assert.equal(2, line("providers", "a", "base_url"))
    assert.is_nil(line("nothing"))
  end)

  it("does not look into long texts", function()
    assert.equal(11, line("tools"))
  end)

  it("writes a path as TOML does", function()
    assert.equal('a."b.c".d-e', locate.encode({ "a", "b.c", "d-e" }))
  end)
end)
