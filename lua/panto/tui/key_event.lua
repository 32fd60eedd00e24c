-- Turns a key name or code point and modifier bits into a key event, and an event into a name.
local key_codes = require("panto.tui.key_codes")

local key_event = {}

local SHIFT, ALT, CTRL, SUPER = 1, 2, 4, 8

---@class panto.tui.Key
---@field type "key"
---@field key string "enter", "left", "f1", … or the character itself (letters in lower case)
---@field ctrl boolean
---@field alt boolean
---@field shift boolean
---@field super boolean
---@field text string? what the key types, nil when it types nothing

--- Makes the event of a named key; bits are shift 1, alt 2, ctrl 4, super 8, the rest is ignored.
---@param name string
---@param bits integer?
---@param typed string?
---@return panto.tui.Key
function key_event.new(name, bits, typed)
  bits = bits or 0
  return {
    type = "key",
    key = name,
    shift = bits & SHIFT ~= 0,
    alt = bits & ALT ~= 0,
    ctrl = bits & CTRL ~= 0,
    super = bits & SUPER ~= 0,
    text = typed,
  }
end

--- Makes the event of a character as the keyboard typed it; a capital letter carries shift.
---@param char string one UTF-8 character
---@param bits integer?
---@return panto.tui.Key
function key_event.character(char, bits)
  bits = bits or 0
  local name = char
  if char:match("^%u$") then
    name, bits = char:lower(), bits | SHIFT
  elseif bits & SHIFT ~= 0 and char:match("^%l$") then
    char = char:upper()
  end
  local types = bits & (CTRL | ALT | SUPER) == 0
  return key_event.new(name, bits, types and char or nil)
end

--- Makes the event of a Unicode code of a CSI-u or 27-tilde sequence; nil where it names no key.
---@param code integer
---@param bits integer
---@return panto.tui.Key?
function key_event.code(code, bits)
  local name = key_codes.named[code]
  if name then
    return key_event.new(name, bits)
  end
  local typed = key_codes.keypad_text[code]
  if typed then
    return key_event.character(typed, bits)
  end
  local private = code >= 0xE000 and code <= 0xF8FF
  if code < 32 or private or code > 0x10FFFF or code >= 0x80 and code < 0xA0 then
    return nil
  end
  return key_event.character(utf8.char(code), bits)
end

--- Makes the event of a control byte.
---@param byte integer 0 to 31, or 127
---@param bits integer?
---@return panto.tui.Key
function key_event.control(byte, bits)
  bits = bits or 0
  if byte == 13 then
    return key_event.new("enter", bits)
  elseif byte == 9 then
    return key_event.new("tab", bits)
  elseif byte == 27 then
    return key_event.new("escape", bits)
  elseif byte == 127 or byte == 8 then
    return key_event.new("backspace", bits)
  elseif byte == 0 then
    return key_event.new(" ", bits | CTRL)
  end
  return key_event.new(string.char(byte + 64):lower(), bits | CTRL)
end

--- Names a key event for tables of bindings: "ctrl+alt+shift+super+key", absent modifiers left out.
---@param event panto.tui.Key
---@return string
function key_event.name(event)
  return (event.ctrl and "ctrl+" or "")
    .. (event.alt and "alt+" or "")
    .. (event.shift and "shift+" or "")
    .. (event.super and "super+" or "")
    .. (event.key == " " and "space" or event.key)
end

return key_event
