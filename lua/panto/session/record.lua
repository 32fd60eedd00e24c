-- Session records into JSONL lines and back; a message's line is understood without decoding it.

local json = require("panto.base.json")

local record = {}

---@class panto.session.Entry
---@field id string
---@field parent string? nil for the first record
---@field type string
---@field line string? the JSON text, until the record is decoded
---@field record table? the decoded record

-- What a tool leaves for the UI may hold anything; what JSON cannot say is left out.
local function plain(value, depth)
  local kind = type(value)
  if kind == "string" or kind == "boolean" or value == json.null then
    return value
  elseif kind == "number" then
    return value == value and math.abs(value) ~= math.huge and value or nil
  elseif kind ~= "table" or depth > 50 then
    return nil
  end
  local copy = {}
  if json.is_array(value) then
    for _, item in ipairs(value) do
      copy[#copy + 1] = plain(item, depth + 1)
    end
    return json.array(copy)
  end
  for key, item in pairs(value) do
    copy[tostring(key)] = plain(item, depth + 1)
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
  copy.details = plain(message.details, 1)
  local outer = {}
  for key, value in pairs(fields) do
    outer[key] = value
  end
  outer.message = copy
  return outer
end

--- Encodes a record as one line with its line end.
---@param fields table
---@return string
function record.encode(fields)
  return json.encode(with_plain_details(fields)) .. "\n"
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

-- Lines of messages are written with sorted keys, so that both ends tell what they are.
local MESSAGE_HEAD = '^{"id":"(%w+)","message":{'
local MESSAGE_TAIL = '},"parent":("?)(%w+)"?,"time":"[^"]*","type":"message"}$'

local function scan_message(line)
  local id = line:match(MESSAGE_HEAD)
  local quote, parent = line:sub(-160):match(MESSAGE_TAIL)
  if id and parent then
    return { id = id, parent = quote ~= "" and parent or nil, type = "message", line = line }
  end
end

--- Reads a line as an entry; a message's text is left undecoded. Nil when the line is no record.
---@param line string
---@return panto.session.Entry?
function record.parse(line)
  local entry = scan_message(line)
  if entry then
    return entry
  end
  local value = record.decode(line)
  if not value or type(value.id) ~= "string" then
    return nil
  end
  local parent = type(value.parent) == "string" and value.parent or nil
  return { id = value.id, parent = parent, type = value.type, record = value }
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
