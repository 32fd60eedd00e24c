require("bare_host")
local key_actions = require("panto.base.key_actions")
local keymap = require("panto.tui.keymap")
local read = require("panto.config.read")
local toml = require("panto.sys.toml")

local function load(text)
  return read.load({
    paths = { user = "/user/config.toml" },
    read_file = function()
      return text
    end,
    getenv = function() end,
    decode_toml = toml.decode,
  })
end

local function message_of(text)
  local config, message = load(text)
  assert.is_nil(config)
  return message
end

describe("[keys] of the configuration", function()
  it("binds keys, however they are written, to named actions", function()
    local config =
      assert(load('[keys]\n"Ctrl+K" = "undo"\nf2 = "effort_picker"\n"alt+Shift+<" = "home"\n'))
    assert.same(
      { ["ctrl+k"] = "undo", f2 = "effort_picker", ["alt+shift+<"] = "home" },
      config.keys
    )
  end)

  it("names a wrong action's nearest one", function()
    assert.equal(
      '/user/config.toml:2: keys."ctrl+k" must name an action: docs/keys.md lists them, '
        .. 'found "kill_to_ende" (did you mean "kill_to_end"?)',
      message_of('[keys]\n"ctrl+k" = "kill_to_ende"\n')
    )
  end)

  it("names a wrong key's nearest one, and the line", function()
    local message = message_of('[keys]\n"ctrl+bakspace" = "undo"\n')
    assert.is_truthy(
      message:find('config.toml:2: keys."ctrl+bakspace" is no key', 1, true),
      message
    )
    assert.is_truthy(message:find('did you mean "backspace"?', 1, true), message)
    message = message_of('[keys]\n"crtl+k" = "undo"\n')
    assert.is_truthy(message:find('did you mean "ctrl"?', 1, true), message)
  end)

  it("refuses a key that one types", function()
    assert.is_truthy(message_of('[keys]\nx = "undo"\n'):find("from what one types", 1, true))
  end)

  it("knows every action that a key has at first", function()
    local known = {}
    for _, name in ipairs(key_actions.names()) do
      known[name] = true
    end
    for key, action in pairs(keymap.editor()) do
      assert.is_true(known[action], key .. " = " .. action)
    end
  end)
end)

describe("docs/keys.md", function()
  it("lists every action with the keys it has at first", function()
    local file = assert(io.open("docs/keys.md"))
    local text = file:read("a")
    file:close()
    local rows = {}
    for action, keys in text:gmatch("\n| `([%w_]+)` | ([^|]*) |") do
      rows[action] = keys
    end
    for _, name in ipairs(key_actions.names()) do
      assert.is_truthy(rows[name], name)
    end
    for key, action in pairs(keymap.editor()) do
      assert.is_truthy(rows[action]:find("`" .. key .. "`", 1, true), key)
    end
  end)
end)
