local key_bytes = require("panto.testing.key_bytes")
local key_event = require("panto.tui.key_event")
local keys = require("panto.tui.keys")

local NAMES = {
  "a",
  "ä",
  "enter",
  "escape",
  "tab",
  "backspace",
  "space",
  "up",
  "left",
  "home",
  "end",
  "delete",
  "page_up",
  "f1",
  "f5",
  "f12",
  "ctrl+a",
  "ctrl+o",
  "alt+x",
  "ctrl+alt+shift+left",
  "shift+enter",
  "alt+up",
  "shift+tab",
  "ctrl+delete",
}

describe("the bytes of a key", function()
  for _, name in ipairs(NAMES) do
    it("are read back as " .. name, function()
      local events = keys.new():feed(assert(key_bytes.encode(name)))
      assert.equal(1, #events)
      assert.equal(name, key_event.name(events[1]))
    end)
  end

  it("are none for a key that does not exist", function()
    local bytes, message = key_bytes.encode("hyper+q")
    assert.is_nil(bytes)
    assert.is_truthy(message:find("hyper+q", 1, true))
  end)
end)
