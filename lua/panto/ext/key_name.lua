-- Turns what an extension calls a key ("Ctrl+T", "alt+shift+left") into the name its event has.

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
-- Without these nobody could send, stop or leave.
local RESERVED = { enter = true, escape = true, ["ctrl+c"] = true, ["ctrl+d"] = true }

--- Parses a key's name; nil and a message when an extension cannot have that key.
---@param text string
---@return string? name
---@return string? message
function key_name.parse(text)
  local modifiers, key = {}, nil
  local rest = text:lower():gsub("%s", "")
  for word in rest:gsub("%+$", "plus"):gmatch("[^+]+") do
    word = ALIASES[word] or word
    if key then
      modifiers[key] = true
    end
    key = word == "plus" and "+" or word
  end
  local name = ""
  for _, modifier in ipairs(ORDER) do
    if modifiers[modifier] then
      name = name .. modifier .. "+"
      modifiers[modifier] = nil
    end
  end
  if not key or next(modifiers) then
    return nil, ("key %q: such as ctrl+t, alt+shift+left or f5"):format(text)
  end
  name = name .. key
  if RESERVED[name] then
    return nil, ("key %s is panto's own"):format(name)
  elseif utf8.len(key) == 1 and not name:find("^ctrl") and not name:find("alt+", 1, true) then
    return nil, ("key %q would be missing from what one types: add ctrl or alt"):format(text)
  end
  return name
end

return key_name
