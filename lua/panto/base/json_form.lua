-- Makes of a JSON text a function that reads the texts which differ from it in strings and numbers
-- only. For {"id":7,"name":"x"} it is, in short:
--   local v1, v2 = match(text, '^{"id":(-?%d+),"name":"([^"\\\0-\31]*)"}$')
--   return { ["id"] = integer(v1), ["name"] = v2 }
-- The text is known to be JSON; what is found here of one that is not is never used.

local json_string = require("panto.base.json_string")
local json_value = require("panto.base.json_value")

local byte, find, format, match, sub =
  string.byte, string.find, string.format, string.match, string.sub
local tonumber = tonumber

-- Lua itself allows 32 captures and 200 local variables.
local MOST_CAPTURES, MOST_SLOTS, MOST_LEVELS, MOST_ITEMS = 24, 60, 12, 200
local SHORT = 200 -- a longer string is looked through for its end faster than a pattern can
-- All bytes but controls, quotes and backslashes; letters are found in the first range.
local TEXT = '"([]-\255#-[ !]*)"'
local INTEGER, FRACTION = "(-?%d+)", "(-?%d+%.%d+)"

local HEAD = "local match, read_text, integer, fraction, null, setmetatable, array_mark = ...\n"
  .. "return function(text)\nlocal at\n"

---@class panto.json.Maker
---@field text string
---@field lines string[] of the function
---@field pattern string[] what is matched at once
---@field names string[] of what that captures
---@field slots integer how many strings and numbers there are so far
---@field items integer how many members and items
---@field is_later boolean something was matched already
local Maker = {}
Maker.__index = Maker

local form = {}

-- Numbers as the reader of JSON takes them; nil for what it may refuse or make something else of.
local function integer(token)
  local first, size = byte(token), #token
  if first == 45 then
    first, size = byte(token, 2), size - 1
  end
  if first > 48 and size < 19 or token == "0" then
    return tonumber(token)
  end
  return nil
end

local function fraction(token)
  local is_plain = #token < 40 and not find(token, "^-?0%d")
  return is_plain and tonumber(token) or nil
end

function Maker:add_literal(text)
  self.pattern[#self.pattern + 1] = text:gsub("[%^$()%%.%[%]*+%-?]", "%%%0")
end

function Maker:add_line(...)
  self.lines[#self.lines + 1] = format(...)
end

-- Matches what was collected; but at the end, `at` is the position behind it then.
function Maker:flush(is_end)
  local names, from = self.names, self.is_later and "at" or "1"
  if not is_end then
    names[#names + 1] = "at"
  end
  local pattern = "^" .. table.concat(self.pattern) .. (is_end and "$" or "()")
  self:add_line("%s = match(text, %q, %s)", table.concat(names, ", "), pattern, from)
  self:add_line("if not %s then return nil end", names[1])
  self.pattern, self.names, self.is_later = {}, {}, true
end

function Maker:new_slot()
  self.slots = self.slots + 1
  local name = "v" .. self.slots
  self:add_line("local %s", name)
  return name
end

function Maker:capture(pattern)
  if #self.names == MOST_CAPTURES then
    self:flush()
  end
  local name = self:new_slot()
  self.pattern[#self.pattern + 1] = pattern
  self.names[#self.names + 1] = name
  return name
end

-- A string that has escapes, or may be long, is read by itself.
function Maker:add_string(pos)
  local stop = json_string.string_end(self.text, pos)
  local raw = sub(self.text, pos + 1, stop - 1)
  if #raw <= SHORT and not find(raw, "\\", 1, true) then
    return self:capture(TEXT), stop + 1
  end
  self:add_literal('"') -- that one begins here is for the pattern to say
  self:flush()
  local name = self:new_slot()
  self:add_line("%s, at = read_text(text, at - 1)", name)
  self:add_line("if not %s then return nil end", name)
  return name, stop + 1
end

function Maker:add_number(pos)
  local token, after = match(self.text, "^([-+.%deE]+)()", pos)
  local kind = find(token, "^-?%d+$") and "integer" or find(token, "^-?%d+%.%d+$") and "fraction"
  if not kind then
    return nil
  end
  local name = self:capture(kind == "integer" and INTEGER or FRACTION)
  self.numbers[#self.numbers + 1] = format("%s = %s(%s)", name, kind, name)
  self.numbers[#self.numbers + 1] = format("if not %s then return nil end", name)
  return name, after
end

function Maker:add_word(pos)
  local word = match(self.text, "^%a+", pos)
  self:add_literal(word)
  return word == "null" and "null" or word, pos + #word
end

-- Blanks, then a comma or the end of a list or an object, then blanks.
function Maker:add_mark(pos)
  local mark, after = match(self.text, "^([ \t\r\n]*[%]},:]?[ \t\r\n]*)()", pos)
  self:add_literal(mark)
  return match(mark, "[%]},:]"), after
end

function Maker:add_members(pos, level)
  local known, made = {}, {}
  while true do
    local key, after = match(self.text, '^"([^"\\]*)"()', pos)
    if not key or known[key] then
      return nil
    end
    known[key] = true
    self:add_literal('"' .. key .. '"')
    local _, value_pos = self:add_mark(after)
    local value, value_end = self:add_value(value_pos, level + 1)
    if not value then
      return nil
    end
    made[#made + 1] = format("[%q] = %s", key, value)
    local mark, behind = self:add_mark(value_end)
    if mark ~= "," then
      return "{ " .. table.concat(made, ", ") .. " }", behind
    end
    pos = behind
  end
end

function Maker:add_items(pos, level)
  local made = {}
  while true do
    local value, value_end = self:add_value(pos, level + 1)
    if not value then
      return nil
    end
    made[#made + 1] = value
    local mark, behind = self:add_mark(value_end)
    if mark ~= "," then
      return "setmetatable({ " .. table.concat(made, ", ") .. " }, array_mark)", behind
    end
    pos = behind
  end
end

-- A list or an object: the expression that makes it, and the position behind it.
function Maker:add_table(pos, level)
  local opening, after = match(self.text, "^([%[{][ \t\r\n]*)()", pos)
  self:add_literal(opening)
  local is_list = byte(opening) == 91
  if find(self.text, "^[%]}]", after) then
    local _, behind = self:add_mark(after)
    return is_list and "setmetatable({}, array_mark)" or "{}", behind
  end
  if is_list then
    return self:add_items(after, level)
  end
  return self:add_members(after, level)
end

--- Nil when the text is not such that others would be like it.
function Maker:add_value(pos, level)
  self.items = self.items + 1
  if level > MOST_LEVELS or self.slots > MOST_SLOTS or self.items > MOST_ITEMS then
    return nil
  end
  local mark = byte(self.text, pos)
  if mark == 34 then
    return self:add_string(pos)
  elseif mark == 123 or mark == 91 then
    return self:add_table(pos, level)
  elseif mark == 45 or mark >= 48 and mark <= 57 then
    return self:add_number(pos)
  end
  return self:add_word(pos)
end

--- Makes a reader of the texts that are like this one; nil when it is too large for that.
---@param text string JSON, an object or a list, without blanks before it
---@return (fun(text: string): table?)?
function form.make(text)
  local self = setmetatable({
    text = text,
    lines = {},
    pattern = {},
    names = {},
    numbers = {},
    slots = 0,
    items = 0,
    is_later = false,
  }, Maker)
  local made, after = self:add_value(1, 1)
  if not made or after <= #text or self.slots == 0 then
    return nil
  end
  if #self.names == 0 then
    self.names[1] = "at"
  end
  self:flush(true)
  local code = HEAD
    .. table.concat(self.lines, "\n")
    .. "\n"
    .. table.concat(self.numbers, "\n")
    .. "\nreturn "
    .. made
    .. "\nend"
  local build = assert(load(code, "=json form", "t", {}))
  return build(
    string.match,
    json_string.read_any,
    integer,
    fraction,
    json_value.null,
    setmetatable,
    json_value.array_mark
  )
end

return form
