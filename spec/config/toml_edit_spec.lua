local toml = require("panto.sys.toml")
local toml_edit = require("panto.config.toml_edit")

local LOCAL = {
  { path = { "providers", "local" }, values = { { "style", "openai_chat" }, { "n", 3 } } },
}

describe("editing TOML", function()
  it("writes into an empty file", function()
    assert.equal(
      '[providers.local]\nstyle = "openai_chat"\nn = 3\n',
      toml_edit.set("", LOCAL, toml.decode)
    )
  end)

  it("adds a table and keeps every line that is there", function()
    local text = "# mine\n[tui]\ntheme = 'dark' # nice\n"
    assert.equal(
      text .. '\n[providers.local]\nstyle = "openai_chat"\nn = 3\n',
      toml_edit.set(text, LOCAL, toml.decode)
    )
  end)

  it("changes the keys of a table and leaves its others", function()
    local text = '[providers.local] # old\nstyle = "x"\nextra = 1\n\n[a]\nb = 1\n'
    assert.equal(
      '[providers.local] # old\nstyle = "openai_chat"\nn = 3\nextra = 1\n\n[a]\nb = 1\n',
      toml_edit.set(text, LOCAL, toml.decode)
    )
  end)

  it("quotes names that need it", function()
    local edits = { { path = { "local", "qwen2.5" }, values = { { "model", 'a"b' } } } }
    local text = toml_edit.set("", edits, toml.decode)
    assert.equal('[local."qwen2.5"]\nmodel = "a\\"b"\n', text)
    assert.equal(text, toml_edit.render(edits))
  end)

  it("refuses what it cannot change safely", function()
    for _, text in ipairs({
      'providers.local = { style = "x" }\n',
      '[providers]\nlocal.style = "x"\n',
      'text = """\n[providers.local]\n"""\n',
      '[providers.local]\nstyle = """\nx\n"""\n',
    }) do
      local changed, message = toml_edit.set(text, LOCAL, toml.decode)
      assert.is_nil(changed, text)
      assert.is_truthy(message:find("safely", 1, true))
    end
    assert.is_nil((toml_edit.set("broken = ", LOCAL, toml.decode)))
  end)
end)
