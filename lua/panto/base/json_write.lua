-- Turns Lua values into JSON text: keys sorted bytewise, the same value always the same bytes.
-- A writer appends to out and returns the new count of pieces, or nil and what cannot be written.

local json_order = require("panto.base.json_order")
local json_value = require("panto.base.json_value")
local utf8x = require("panto.base.utf8x")

local gsub, format, find = string.gsub, string.format, string.find
local concat, rawlen, next, type, getmetatable = table.concat, rawlen, next, type, getmetatable
local math_type, utf8_len = math.type, utf8.len
local order_of = json_order.of
local null, array_mark, raw_mark = json_value.null, json_value.array_mark, json_value.raw_mark

local MAX_DEPTH = 1000
local SMALL = 4096
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

-- What stands between the quotes of a string.
local function escaped(text)
  local _, plain = find(text, PLAIN)
  if plain < #text then
    text = gsub(text, SPECIAL, ESCAPES)
    if not utf8_len(text) then
      text = utf8x.repair(text)
    end
  end
  return text
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

local function write_array(list, out, count, depth)
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
    count, problem = write_value(list[index], out, at, depth + 1)
    if not count then
      return nil, within("[" .. index .. "]", problem)
    end
  end
  count = count + 1
  out[count] = size == 0 and "[]" or "]"
  return count
end

local function write_object(object, out, count, depth)
  local order, refusal = order_of(object, escaped)
  if not order then
    return nil, refusal
  end
  local keys, others, texts = order.keys, order.others, order.texts
  for index = 1, order.size do
    local key = keys[index]
    local item = object[key]
    if type(item) == "string" then
      out[count + 1] = texts[index]
      local _, plain = find(item, PLAIN)
      out[count + 2] = plain == #item and item or escaped(item)
      count = count + 3
      out[count] = '"'
    else
      out[count + 1] = others[index]
      local problem
      count, problem = write_value(item, out, count + 1, depth + 1)
      if not count then
        return nil, within("." .. key, problem)
      end
    end
  end
  count = count + 1
  out[count] = order.size == 0 and "{}" or "}"
  return count
end

local function write_table(value, out, count, depth)
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
    return write_array(value, out, count, depth)
  end
  return write_object(value, out, count, depth)
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

function write_value(value, out, count, depth)
  local kind = type(value)
  if kind == "string" then
    out[count + 1] = '"'
    out[count + 2] = escaped(value)
    out[count + 3] = '"'
    return count + 3
  elseif kind == "table" then
    return write_table(value, out, count, depth)
  elseif kind == "number" then
    return write_number(value, out, count)
  elseif kind == "boolean" then
    out[count + 1] = value and "true" or "false"
    return count + 1
  end
  return nil, "cannot encode a " .. kind .. " at value"
end

-- The pieces of the last small text make room for those of the next one.
local spare = {}

local json_write = {}

--- Says what keeps a value from being written as JSON; nil when nothing does.
---@param value any
---@return string? problem
function json_write.problem(value)
  local count, problem = write_value(value, {}, 0, 1)
  return not count and problem or nil
end

--- Writes a value as JSON text; raises where it holds what JSON cannot say.
---@param value any
---@return string text
function json_write.encode(value)
  local out = spare or {}
  spare = nil
  local count, problem = write_value(value, out, 0, 1)
  if not count then
    error("json.encode: " .. problem, 2)
  end
  local text = concat(out, "", 1, count)
  spare = #text < SMALL and out or nil
  return text
end

return json_write
