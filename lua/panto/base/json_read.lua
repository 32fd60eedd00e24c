-- Turns JSON text (RFC 8259) into Lua values.
-- A reader takes (text, position of its first byte, depth, readers) and returns the value and the
-- position after it, or nil, the position of the mistake, and what is wrong there.

local json_alike = require("panto.base.json_alike")
local json_string = require("panto.base.json_string")
local json_value = require("panto.base.json_value")

local byte, find, match, sub = string.byte, string.find, string.match, string.sub
local read_alike, note_alike = json_alike.read, json_alike.note
local setmetatable, tonumber = setmetatable, tonumber
local array_mark = json_value.array_mark

local MAX_DEPTH = 1000
local NOT_BLANK = "[^ \n\r\t]"
local PLAIN_KEY = '^"([%w_]*)"[ \n\r\t]*:()'
-- A member whose value is a string, both without escapes: most members of most texts. The second
-- pattern is for texts that may hold control characters or broken UTF-8: it takes ASCII only.
local CLEAN_MEMBER = '^"([^"\\]*)": ?"([^"\\]*)"()'
local ASCII_MEMBER = '^"([]-~#-[ !]*)": ?"([]-~#-[ !]*)"()'
local TOO_DEEP = "nested deeper than " .. MAX_DEPTH .. " levels"

local CONTROLS = {}
for code = 0, 31 do
  CONTROLS[code] = string.char(code)
end

-- The next byte that is not blank, and where it is (after the end: nil and one past the end).
local function next_mark(text, pos)
  pos = find(text, NOT_BLANK, pos) or #text + 1
  return byte(text, pos), pos
end

local function unexpected(text, pos)
  if pos > #text then
    return nil, pos, "unexpected end of text"
  end
  local shown = match(text, "^[!-~]", pos) or ("byte 0x%02X"):format(byte(text, pos))
  return nil, pos, "unexpected " .. shown .. ", expected a value"
end

-- Blanks before a value: reads what follows them.
local function read_blank(text, pos, depth, readers)
  local mark, at = next_mark(text, pos)
  return (readers[mark] or unexpected)(text, at, depth, readers)
end

local function read_number(text, pos)
  local token, stop = match(text, "^(-?[1-9][0-9]*)()", pos)
  local follow = byte(text, stop)
  if not token or follow == 46 or follow == 101 or follow == 69 then
    token, stop = match(text, "^(-?[0-9.eE+-]*)()", pos)
    if
      find(token, "^-?0[0-9]")
      or not find(token, "^-?[0-9]")
      or find(token, ".", 1, true) and not find(token, "[0-9]%.[0-9]")
    then
      return nil, pos, "malformed number"
    end
  end
  local number = tonumber(token)
  if not number then
    return nil, pos, "malformed number"
  elseif number == math.huge or number == -math.huge then
    return nil, pos, "number out of range"
  end
  return number, stop
end

local function literal_reader(word, value)
  local size = #word
  return function(text, pos)
    if sub(text, pos, pos + size - 1) == word then
      return value, pos + size
    end
    return unexpected(text, pos)
  end
end

-- A key that is not a plain word, with its colon.
local function read_key(text, pos, depth, readers)
  local key, stop, problem = readers[34](text, pos, depth, readers)
  if not key then
    return nil, stop, problem
  end
  local mark, at = next_mark(text, stop)
  if mark ~= 58 then
    return nil, at, "expected ':' after a key"
  end
  return key, at + 1
end

-- Any member: its key, its value and the position after it, or nil, nil, and what a reader returns.
local function read_member(text, pos, depth, readers)
  local key, at = match(text, PLAIN_KEY, pos)
  if not key then
    local problem
    key, at, problem = read_key(text, pos, depth, readers)
    if not key then
      return nil, nil, at, problem
    end
  end
  local read = readers[byte(text, at)] or unexpected
  return key, read(text, at, depth + 1, readers)
end

local function read_object(text, pos, depth, readers)
  if depth > MAX_DEPTH then
    return nil, pos, TOO_DEEP
  end
  local object, member = {}, readers.member
  local mark
  mark, pos = next_mark(text, pos + 1)
  if mark == 125 then
    return object, pos + 1
  end
  while mark == 34 do
    local key, item, after = match(text, member, pos)
    if not key then
      local problem
      key, item, after, problem = read_member(text, pos, depth, readers)
      if item == nil then
        return nil, after, problem
      end
    end
    object[key] = item
    pos = after
    mark = byte(text, pos)
    if mark ~= 44 then
      mark, pos = next_mark(text, pos)
      if mark == 125 then
        return object, pos + 1
      elseif mark ~= 44 then
        return nil, pos, "expected ',' or '}' after a value"
      end
    end
    pos = pos + 1
    mark = byte(text, pos)
    if mark ~= 34 then
      mark, pos = next_mark(text, pos)
    end
  end
  return nil, pos, "expected a key in double quotes"
end

local function read_array(text, pos, depth, readers)
  if depth > MAX_DEPTH then
    return nil, pos, TOO_DEEP
  end
  local list, count = setmetatable({}, array_mark), 0
  local mark, at = next_mark(text, pos + 1)
  if mark == 93 then
    return list, at + 1
  end
  while true do
    local read = readers[byte(text, at)] or unexpected
    local item, stop, problem = read(text, at, depth + 1, readers)
    if item == nil then
      return nil, stop, problem
    end
    count = count + 1
    list[count] = item
    mark = byte(text, stop)
    if mark ~= 44 then
      mark, stop = next_mark(text, stop)
      if mark == 93 then
        return list, stop + 1
      elseif mark ~= 44 then
        return nil, stop, "expected ',' or ']' after a value"
      end
    end
    at = stop + 1
  end
end

local function new_readers(read_string, member)
  local readers = {
    member = member,
    [34] = read_string,
    [91] = read_array,
    [123] = read_object,
    [102] = literal_reader("false", false),
    [110] = literal_reader("null", json_value.null),
    [116] = literal_reader("true", true),
    [45] = read_number,
  }
  for digit = 48, 57 do
    readers[digit] = read_number
  end
  for _, blank in ipairs({ 9, 10, 13, 32 }) do
    readers[blank] = read_blank
  end
  return readers
end

local clean_readers = new_readers(json_string.read_clean, CLEAN_MEMBER)
local any_readers = new_readers(json_string.read_any, ASCII_MEMBER)

-- Whether the text has no control character and is valid UTF-8, which saves looking in each string.
local function is_clean(text)
  local size = #text
  if size < 500 then
    local _, stop = find(text, "^[^\0-\31]*")
    return stop == size and utf8.len(text) ~= nil
  end
  for code = 0, 31 do
    if find(text, CONTROLS[code], 1, true) then
      return false
    end
  end
  return utf8.len(text) ~= nil
end

-- "problem at byte 17 (line 2, column 5)", all counted from 1, columns in bytes.
local function describe(text, pos, problem)
  local before = sub(text, 1, pos - 1)
  local _, breaks = before:gsub("\n", "")
  local column = #match(before, "[^\n]*$") + 1
  return ("%s at byte %d (line %d, column %d)"):format(problem, pos, breaks + 1, column)
end

local json_read = {}

--- Reads one JSON text.
---@param text string
---@return any value `json.null` for null; nil when the text is not JSON
---@return string? message what is wrong and where
function json_read.decode(text)
  if type(text) ~= "string" then
    error("json.decode: expected a string, got " .. type(text), 2)
  end
  local known, family = read_alike(text)
  if known then
    return known
  end
  local is_simple = is_clean(text)
  local start = sub(text, 1, 3) == "\u{FEFF}" and 4 or 1
  local value, pos, problem = read_blank(text, start, 1, is_simple and clean_readers or any_readers)
  if value ~= nil then
    local mark
    mark, pos = next_mark(text, pos)
    if mark == nil then
      if family and is_simple then
        note_alike(family, text)
      end
      return value
    end
    problem = "unexpected text after the value"
  end
  return nil, describe(text, pos, problem)
end

return json_read
