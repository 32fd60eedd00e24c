-- Turns an event that differs from the one before it only in one string into that string.
-- Most events of a stream are such; reading them so costs a tenth of decoding their JSON.
local json = require("panto.base.json")
local json_string = require("panto.base.json_string")

local find, sub = string.find, string.sub

local repeated = {}

local Repeated = {}
Repeated.__index = Repeated

---@class panto.RepeatedEvent
---@field key string a pattern of the string's key, with its quotes
---@field prefix string? what stands before the string in the last event
---@field suffix string? what stands behind it, its closing quote first
---@field name string? the name of that event

--- Makes the reader; `key` names the member whose string differs.
---@param key string
---@return panto.RepeatedEvent
function repeated.new(key)
  return setmetatable({ key = '"' .. key .. '"%s*:%s*"' }, Repeated)
end

--- Returns the string of an event that is else the same as the last one; nil for any other.
---@param event panto.sse.Event
---@return string?
function Repeated:read(event)
  local prefix, suffix, data = self.prefix, self.suffix, event.data
  if not prefix or self.name ~= event.event then
    return nil
  end
  local first, last = #prefix + 1, #data - #suffix
  if
    last < first - 1
    or find(data, prefix, 1, true) ~= 1
    or not find(data, suffix, last + 1, true)
  then
    return nil
  end
  local body = sub(data, first, last)
  if not find(body, "[^ !#-%[%]-~]") then
    return body
  end
  return json_string.inside(body)
end

-- The closing quote of a JSON string whose text begins at i.
local function find_end(data, i)
  while true do
    local at = find(data, '["\\]', i)
    if not at or sub(data, at, at) == '"' then
      return at
    end
    i = at + 2
  end
end

--- Remembers an event that was decoded in full and was nothing but this string.
---@param event panto.sse.Event
---@param text string
function Repeated:keep(event, text)
  self.prefix = nil
  local data = event.data
  local _, last = find(data, self.key)
  local stop = last and not find(data, self.key, last) and find_end(data, last + 1)
  if stop and json.decode(sub(data, last, stop)) == text then
    self.prefix, self.suffix, self.name = sub(data, 1, last), sub(data, stop), event.event
  end
end

return repeated
