-- Turns one whole control sequence (CSI, SS3 or a string sequence) into an event or nothing.
local key_codes = require("panto.tui.key_codes")
local key_event = require("panto.tui.key_event")

local keys_csi = {}

local MODIFIER_BITS = 15
local RELEASE = 3

local function reply(name, fields)
  fields = fields or {}
  fields.type, fields.name = "reply", name
  return fields
end

-- "97:65;5:1" → { {97, 65}, {5, 1} }; an empty field is false.
local function fields_of(params)
  local fields = {}
  for field in (params .. ";"):gmatch("([^;]*);") do
    local parts = {}
    for part in (field .. ":"):gmatch("([^:]*):") do
      parts[#parts + 1] = tonumber(part) or false
    end
    fields[#fields + 1] = parts
  end
  return fields
end

local function first_of(fields, index)
  local field = fields[index]
  return field and field[1] or nil
end

-- Modifier bits of a field (lock keys masked), or nil for the release of a key.
local function bits_of(field)
  if not field then
    return 0
  end
  if field[2] == RELEASE then
    return nil
  end
  return (math.max(field[1] or 1, 1) - 1) & MODIFIER_BITS
end

local function unicode_key(fields)
  local bits = bits_of(fields[2])
  local code = first_of(fields, 1)
  return bits and code and key_event.code(code, bits)
end

local function tilde_key(fields, final)
  local number = first_of(fields, 1)
  if number == 27 and fields[3] then
    local bits = bits_of(fields[2])
    return bits and fields[3][1] and key_event.code(fields[3][1], bits)
  end
  local name = key_codes.tilde[number]
  local bits = bits_of(fields[2])
  if final == "^" then
    bits = 4
  elseif final == "@" then
    bits = 5
  elseif final == "$" then
    bits = 1
  end
  return name and bits and key_event.new(name, bits)
end

local function cell_reply(width, height)
  local is_size = width and height and width > 0 and height > 0
  return is_size and reply("cell", { width = width, height = height })
end

-- Where the cursor is or, from row 1 on the left, F3 with modifiers: who has asked knows.
local function cursor_reply(fields)
  local row, col = first_of(fields, 1), first_of(fields, 2)
  local is_key = row == 1 and col and col > 1 and col <= MODIFIER_BITS + 1
  local key = is_key and key_event.new(key_codes.letters.R, bits_of(fields[2])) or nil
  return reply("cursor", { row = row, col = col, key = key })
end

local function letter_key(fields, final)
  if final == "Z" then
    local bits = bits_of(fields[2])
    return bits and key_event.new("tab", bits | 1)
  end
  if final == "R" and fields[2] and not fields[2][2] then
    return cursor_reply(fields)
  end
  if final == "t" and first_of(fields, 1) == 6 then
    return cell_reply(first_of(fields, 3), first_of(fields, 2))
  end
  if final == "t" and first_of(fields, 1) == 8 then
    return reply("size", { rows = first_of(fields, 2), cols = first_of(fields, 3) })
  end
  local name = key_codes.letters[final]
  if name then
    local bits = bits_of(fields[2])
    return bits and key_event.new(name, bits)
  end
  name = final:match("[abcd]") and key_codes.letters[final:upper()]
  return name and key_event.new(name, 1)
end

local function private_reply(mark, params, final)
  local fields = fields_of(params)
  local number = first_of(fields, 1)
  if mark == "?" and final == "u" then
    return reply("kitty_flags", { flags = number or 0 })
  elseif mark == "?" and final == "c" then
    return reply("da1", { params = params })
  elseif mark == ">" and final == "c" then
    return reply("da2", { params = params })
  elseif mark == "?" and final == "R" then
    return reply("cursor", { row = number, col = first_of(fields, 2) })
  elseif mark == "?" and final == "n" and number == 997 then
    return reply("scheme", { dark = first_of(fields, 2) == 1 })
  elseif mark == "?" and final == "y" then
    return reply("mode", { mode = number, value = first_of(fields, 2) })
  end
  return nil
end

--- Reads the body of a `CSI … final` sequence; nil where it is no key and no known reply.
---@param body string parameters and intermediate bytes
---@param final string the last byte
---@return table? event
function keys_csi.csi(body, final)
  local mark, params, middle = body:match("^([<=>?]?)([%d;:]*)([^%d;:]*)$")
  if not mark then
    return nil
  end
  if mark ~= "" then
    return private_reply(mark, params, final) or nil
  end
  if middle ~= "" then
    return nil
  end
  if params == "" and (final == "I" or final == "O") then
    return { type = "focus", gained = final == "I" }
  end
  local fields = fields_of(params)
  if final == "u" then
    return unicode_key(fields) or nil
  elseif final:match("[~^@$]") then
    return tilde_key(fields, final) or nil
  end
  return letter_key(fields, final) or nil
end

--- Reads the body of an `ESC O … final` sequence.
---@param params string a modifier number, as some terminals send it
---@param final string
---@return table? event
function keys_csi.ss3(params, final)
  local bits = (math.max(tonumber(params) or 1, 1) - 1) & MODIFIER_BITS
  local name = key_codes.letters[final]
  if name then
    return key_event.new(name, bits)
  end
  name = final:match("[abcd]") and key_codes.letters[final:upper()]
  if name then
    return key_event.new(name, bits | 4)
  end
  local typed = key_codes.keypad[final]
  if typed == "enter" then
    return key_event.new("enter", bits)
  end
  return typed and key_event.character(typed, bits) or nil
end

local function channel(hex)
  local value = tonumber(hex, 16)
  return value and value / (16 ^ #hex - 1)
end

local function color_reply(name, value)
  local red, green, blue = value:match("^rgba?:(%x+)/(%x+)/(%x+)")
  if not red then
    return nil
  end
  return reply(name, { red = channel(red), green = channel(green), blue = channel(blue) })
end

--- Reads the content of an OSC, DCS, APC, PM or SOS string that a terminal sent.
---@param kind string the byte after ESC that opened it
---@param content string
---@return table? event
function keys_csi.string(kind, content)
  if kind == "]" then
    local number, value = content:match("^(%d+);(.*)$")
    if number == "11" then
      return color_reply("background", value)
    elseif number == "10" then
      return color_reply("foreground", value)
    end
  elseif kind == "P" and content:sub(1, 2) == ">|" then
    return reply("version", { text = content:sub(3) })
  elseif kind == "_" and content:find("^Gi=31;") then
    return reply("graphics", { is_ok = content == "Gi=31;OK" })
  end
  return nil
end

return keys_csi
