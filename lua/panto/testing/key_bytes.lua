-- A key's name, such as "ctrl+o" or "enter", into the bytes that a terminal sends for it.

local key_codes = require("panto.tui.key_codes")

local key_bytes = {}

local BITS = { shift = 1, alt = 2, ctrl = 4, super = 8 }
local CODES = { enter = 13, escape = 27, esc = 27, tab = 9, backspace = 127, space = 32 }

-- Of two sequences for one key the one without a tilde is taken, and of two numbers the lower.
local function final_of(name)
  for letter, known in pairs(key_codes.letters) do
    if known == name then
      return letter
    end
  end
end

local function number_of(name)
  local found
  for number, known in pairs(key_codes.tilde) do
    if known == name and (not found or number < found) then
      found = number
    end
  end
  return found
end

local function encode(name, bits)
  local modifier = bits > 0 and (";%d"):format(bits + 1) or ""
  local final, number = final_of(name), number_of(name)
  if final then
    return bits > 0 and ("\27[1%s%s"):format(modifier, final) or "\27[" .. final
  elseif number then
    return ("\27[%d%s~"):format(number, modifier)
  end
  local code = CODES[name] or (utf8.len(name) == 1 and utf8.codepoint(name))
  return code and ("\27[%d%su"):format(code, modifier)
end

--- Returns the bytes of a key; nil and a message when it has no such name.
---@param text string
---@return string? bytes
---@return string? message
function key_bytes.encode(text)
  local name, bits = text:lower(), 0
  while true do
    local word, rest = name:match("^(%a+)%+(.+)$")
    if not BITS[word] then
      break
    end
    bits, name = bits | BITS[word], rest
  end
  local bytes = encode(name:gsub("^page(%a+)$", "page_%1"), bits)
  if not bytes then
    return nil, ("there is no key %q: such as enter, ctrl+o, alt+up or f5"):format(text)
  end
  return bytes
end

return key_bytes
