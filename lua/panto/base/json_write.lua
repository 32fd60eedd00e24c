-- Turns Lua values into JSON text: keys sorted bytewise, the same value always the same bytes.
-- A writer appends to out and returns the new count of pieces, or nil and what cannot be written.

local json_value = require("panto.base.json_value")
local utf8x = require("panto.base.utf8x")

local gsub, format, find, sub = string.gsub, string.format, string.find, string.sub
local rawlen, next, type, getmetatable = rawlen, next, type, getmetatable
local math_type, utf8_len = math.type, utf8.len
local null, array_mark, raw_mark = json_value.null, json_value.array_mark, json_value.raw_mark

local MAX_DEPTH = 1000
local SPECIAL = '[\0-\31"\\]'
-- ASCII that stands for itself; letters are found in the first range.
local PLAIN = "^[]-~#-[ !]*"
local PRECISIONS = { "%.14g", "%.15g", "%.16g", "%.17g" }

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\" }
for code = 0, 31 do
  ESCAPES[string.char(code)] = format("\\u%04x", code)
end
for letter, character in pairs({ b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }) do
  ESCAPES[character] = "\\" .. letter
end

local write_value

local function quote(text)
  local _, plain = find(text, PLAIN)
  if plain < #text then
    text = gsub(text, SPECIAL, ESCAPES)
    if not utf8_len(text) then
      text = utf8x.repair(text)
    end
  end
  return '"' .. text .. '"'
end

-- The shortest text that reads back as the same float and is seen to be one.
local function float_text(number)
  for _, precision in ipairs(PRECISIONS) do
    local text = format(precision, number)
    if tonumber(text) == number then
      return find(text, "[.e]") and text or text .. ".0"
    end
  end
end

-- Where in the value the problem lies, built from the inside out.
local function within(step, problem)
  if #problem > 300 then
    return problem
  end
  return (gsub(problem, "^(.-) at value", "%1 at value" .. gsub(step, "%%", "%%%%"), 1))
end

local function write_array(list, out, count, depth, names)
  local size, keys = rawlen(list), 0
  for _ in next, list do
    keys = keys + 1
  end
  if keys ~= size then
    return nil, "cannot encode a list with holes or with other keys at value"
  end
  local problem
  local separator = "["
  for index = 1, size do
    count = count + 1
    out[count] = separator
    separator = ","
    local at = count
    count, problem = write_value(list[index], out, at, depth + 1, names)
    if not count then
      return nil, within("[" .. index .. "]", problem)
    end
  end
  count = count + 1
  out[count] = size == 0 and "[]" or "]"
  return count
end

-- The sorted keys of an object, or nil and what is wrong with them.
local function sorted_keys(object)
  local keys, size = {}, 0
  for key in next, object do
    if type(key) ~= "string" then
      return nil, "cannot encode a table with a " .. type(key) .. " as a key at value"
    end
    size = size + 1
    keys[size] = key
  end
  if size > 12 then
    table.sort(keys)
    return keys, size
  end
  for index = 2, size do
    local key, slot = keys[index], index
    while slot > 1 and key < keys[slot - 1] do
      keys[slot] = keys[slot - 1]
      slot = slot - 1
    end
    keys[slot] = key
  end
  return keys, size
end

local function write_object(object, out, count, depth, names)
  local keys, size = sorted_keys(object)
  if not keys then
    return nil, size
  end
  if size == 0 then
    out[count + 1] = "{}"
    return count + 1
  end
  count = count + 1
  out[count] = "{"
  for index = 1, size do
    local key = keys[index]
    local name = names[key]
    if not name then
      name = "," .. quote(key) .. ":"
      names[key] = name
    end
    count = count + 1
    out[count] = index > 1 and name or sub(name, 2)
    local item = object[key]
    if type(item) == "string" then
      count = count + 1
      out[count] = quote(item)
    else
      local problem
      count, problem = write_value(item, out, count, depth + 1, names)
      if not count then
        return nil, within("." .. key, problem)
      end
    end
  end
  out[count + 1] = "}"
  return count + 1
end

local function write_table(value, out, count, depth, names)
  if value == null then
    out[count + 1] = "null"
    return count + 1
  elseif depth > MAX_DEPTH then
    return nil, "cannot encode a value nested deeper than " .. MAX_DEPTH .. " levels (a cycle?)"
  end
  local mark = getmetatable(value)
  if mark == raw_mark then
    out[count + 1] = value[1]
    return count + 1
  elseif mark == array_mark or rawlen(value) > 0 then
    return write_array(value, out, count, depth, names)
  end
  return write_object(value, out, count, depth, names)
end

local function write_number(value, out, count)
  if math_type(value) == "integer" then
    out[count + 1] = value
  elseif value ~= value or value == math.huge or value == -math.huge then
    return nil, "cannot encode the number " .. tostring(value) .. " at value"
  else
    out[count + 1] = float_text(value)
  end
  return count + 1
end

function write_value(value, out, count, depth, names)
  local kind = type(value)
  if kind == "string" then
    out[count + 1] = quote(value)
    return count + 1
  elseif kind == "table" then
    return write_table(value, out, count, depth, names)
  elseif kind == "number" then
    return write_number(value, out, count)
  elseif kind == "boolean" then
    out[count + 1] = value and "true" or "false"
    return count + 1
  end
  return nil, "cannot encode a " .. kind .. " at value"
end

local json_write = {}

--- Says what keeps a value from being written as JSON; nil when nothing does.
---@param value any
---@return string? problem
function json_write.problem(value)
  local count, problem = write_value(value, {}, 0, 1, {})
  return not count and problem or nil
end

--- Writes a value as JSON text; raises where it holds what JSON cannot say.
---@param value any
---@return string text
function json_write.encode(value)
  local out = {}
  local count, problem = write_value(value, out, 0, 1, {})
  if not count then
    error("json.encode: " .. problem, 2)
  end
  return table.concat(out, "", 1, count)
end

return json_write
