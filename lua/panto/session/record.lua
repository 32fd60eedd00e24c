-- Session records into JSONL lines and back; a line is understood by its beginning, undecoded.

local json = require("panto.base.json")

local record = {}

---@class panto.session.Entry
---@field id string
---@field parent string? nil for the first record
---@field type string
---@field n integer? of a message: how many its branch has up to it
---@field at integer? the line's offset in the file; nil when it is in memory only
---@field before panto.session.Entry|false|nil the entry it hangs on, once it was looked up
---@field line string? the JSON text, until the record is decoded
---@field record table? the decoded record
---@field bytes integer? of a line that had to be decoded to be understood: its length

local MAX_VALUES = 20000

-- What a tool leaves for the UI may hold anything, itself too; what JSON cannot say is left out, and
-- what comes after so many values.
local function plain(value, depth, count)
  local kind = type(value)
  if kind == "string" or kind == "boolean" or value == json.null then
    return value
  elseif kind == "number" then
    return value == value and math.abs(value) ~= math.huge and value or nil
  elseif kind ~= "table" or depth > 50 or count.values > MAX_VALUES then
    return nil
  end
  count.values = count.values + 1
  local copy = {}
  if json.is_array(value) then
    for _, item in ipairs(value) do
      copy[#copy + 1] = plain(item, depth + 1, count)
    end
    return json.array(copy)
  end
  for key, item in pairs(value) do
    copy[tostring(key)] = plain(item, depth + 1, count)
  end
  return copy
end

local function with_plain_details(fields)
  local message = fields.message
  if type(message) ~= "table" or message.details == nil then
    return fields
  end
  local copy = {}
  for key, value in pairs(message) do
    copy[key] = value
  end
  copy.details = plain(message.details, 1, { values = 0 })
  local outer = {}
  for key, value in pairs(fields) do
    outer[key] = value
  end
  outer.message = copy
  return outer
end

-- What a line begins with tells what it is; a message's long text comes last.
local FIRST = { "id", "parent", "time", "type" }

local function names_of(fields)
  local names = {}
  for name in pairs(fields) do
    names[#names + 1] = name
  end
  table.sort(names, function(a, b)
    if (a == "message") ~= (b == "message") then
      return b == "message"
    end
    return a < b
  end)
  return names
end

--- Encodes a record as one line with its line end: id, parent, time and type come first.
---@param fields table
---@return string
function record.encode(fields)
  fields = with_plain_details(fields)
  local members, is_first = {}, {}
  local function add(name)
    members[#members + 1] = json.encode(name) .. ":" .. json.encode(fields[name])
  end
  for _, name in ipairs(FIRST) do
    is_first[name] = true
    if fields[name] ~= nil then
      add(name)
    end
  end
  for _, name in ipairs(names_of(fields)) do
    if not is_first[name] then
      add(name)
    end
  end
  return "{" .. table.concat(members, ",") .. "}\n"
end

--- Decodes a line; nil when it is no record.
---@param line string
---@return table?
function record.decode(line)
  local value = json.decode(line)
  if type(value) == "table" and type(value.type) == "string" then
    return value
  end
  return nil
end

local HEAD = '^{"id":"(%w+)","parent":("?)(%w+)"?,"time":"[^"]*","type":"(%a+)",()'

-- Understands a line by its beginning; nil when it was not written as panto writes.
local function parse_head(line)
  local id, quote, parent, kind, after = line:match(HEAD)
  if not id or line:byte(-1) ~= 125 or (quote == "") ~= (parent == "null") then
    return nil
  end
  local n = kind == "message" and line:match('^"n":(%d+),', after)
  return {
    id = id,
    parent = quote ~= "" and parent or nil,
    type = kind,
    n = math.tointeger(tonumber(n)),
    line = line,
  }
end

--- Reads a line as an entry, without decoding it if panto wrote it. Nil when it is no record.
---@param line string
---@return panto.session.Entry?
function record.parse(line)
  local entry = parse_head(line)
  if entry then
    return entry
  end
  local value = record.decode(line)
  if not value or type(value.id) ~= "string" then
    return nil
  end
  local parent = type(value.parent) == "string" and value.parent or nil
  local n = value.type == "message" and math.tointeger(value.n) or nil
  return { id = value.id, parent = parent, type = value.type, n = n, record = value, bytes = #line }
end

--- Returns a record's own fields without its message, which is not decoded for it.
---@param entry panto.session.Entry
---@return table
function record.head(entry)
  if entry.record or not entry.line then
    return entry.record or {}
  end
  local head_end = entry.line:find(',"message":', 1, true)
  local head = head_end and json.decode(entry.line:sub(1, head_end - 1) .. "}")
  return type(head) == "table" and head or record.get(entry) or {}
end

--- Returns an entry's record, decoded once; nil when its line turns out broken.
---@param entry panto.session.Entry
---@return table?
function record.get(entry)
  if not entry.record and entry.line then
    entry.record = record.decode(entry.line)
    entry.line = nil
  end
  return entry.record
end

return record
