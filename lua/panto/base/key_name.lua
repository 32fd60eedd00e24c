-- Turns what a person calls a key ("Ctrl+T", "alt+shift+left") into the name its event has.

local nearest = require("panto.base.nearest")

local key_name = {}

local ORDER = { "ctrl", "alt", "shift", "super" }
local ALIASES = {
  control = "ctrl",
  option = "alt",
  meta = "alt",
  cmd = "super",
  esc = "escape",
  ["return"] = "enter",
  pageup = "page_up",
  pagedown = "page_down",
  del = "delete",
}
local NAMED = {
  "enter",
  "escape",
  "tab",
  "space",
  "backspace",
  "delete",
  "insert",
  "up",
  "down",
  "left",
  "right",
  "home",
  "end",
  "page_up",
  "page_down",
  "begin",
  "menu",
  "pause",
  "print",
}
for number = 1, 35 do
  NAMED[#NAMED + 1] = "f" .. number
end
local IS_NAMED = {}
for _, name in ipairs(NAMED) do
  IS_NAMED[name] = true
end
-- Without these nobody could send, stop or leave.
local RESERVED = { enter = true, escape = true, ["ctrl+c"] = true, ["ctrl+d"] = true }

local function split(text)
  local modifiers, key = {}, nil
  local rest = text:lower():gsub("%s", "")
  for word in rest:gsub("%+$", "plus"):gmatch("[^+]+") do
    word = ALIASES[word] or word
    if key then
      modifiers[key] = true
    end
    key = word == "plus" and "+" or word
  end
  return modifiers, key
end

local function unknown(text, key, modifiers)
  local known = table.move(NAMED, 1, #NAMED, 1, {})
  local wrong = next(modifiers)
  if wrong then
    key, known = wrong, ORDER
  end
  local near = key and nearest.find(key, known, 1)[1]
  local hint = near and (' (did you mean "%s"?)'):format(near) or ""
  return ("key %q: such as ctrl+t, alt+shift+left or f5%s"):format(text, hint)
end

local function is_typed(name, key)
  return utf8.len(key) == 1 and not name:find("^ctrl") and not name:find("alt+", 1, true)
end

--- Reads a key's name; nil and a message when there is no such key, or when it is one that types.
---@param text string
---@return string? name as key events are named
---@return string? message
function key_name.read(text)
  local modifiers, key = split(text)
  local name = ""
  for _, modifier in ipairs(ORDER) do
    if modifiers[modifier] then
      name = name .. modifier .. "+"
      modifiers[modifier] = nil
    end
  end
  if not key or next(modifiers) or not (IS_NAMED[key] or utf8.len(key) == 1) then
    return nil, unknown(text, key, modifiers)
  end
  name = name .. key
  if is_typed(name, key) then
    return nil, ("key %q would be missing from what one types: add ctrl or alt"):format(text)
  end
  return name
end

--- Parses a key's name; nil and a message when an extension cannot have that key.
---@param text string
---@return string? name
---@return string? message
function key_name.parse(text)
  local name, message = key_name.read(text)
  if name and RESERVED[name] then
    return nil, ("key %s is panto's own"):format(name)
  end
  return name, message
end

return key_name
