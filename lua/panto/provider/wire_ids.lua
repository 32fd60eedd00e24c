-- Turns the tool call ids of other APIs into ones that this API takes, the same way each time.

local wire_ids = {}

---@class panto.WireIds
---@field max integer longest id that is sent as it is
---@field forbidden string? pattern of a character that no id may have
---@field keeps_long boolean the ids now met are this server's own and go back untouched
---@field known table<string, string>
---@field counts table<string, integer> how many calls had an id
local WireIds = {}
WireIds.__index = WireIds

-- FNV-1a, so that a long id keeps its own short name in every later request.
local function hash(text)
  local value = 0xcbf29ce484222325
  for index = 1, #text do
    value = (value ~ text:byte(index)) * 0x100000001b3
  end
  return ("%016x"):format(value)
end

--- Returns an empty mapping for one request.
---@param max integer
---@param forbidden string? pattern of a character that no id may have
---@return panto.WireIds
function wire_ids.new(max, forbidden)
  local self = { max = max, forbidden = forbidden, keeps_long = false, known = {}, counts = {} }
  return setmetatable(self, WireIds)
end

local function fits(self, id)
  return #id <= self.max and not (self.forbidden and id:find(self.forbidden))
end

--- Returns the id to send for a call, and later for its result.
---@param id string?
---@return string
function WireIds:get(id)
  id = (id == nil or id == "") and "call_0" or id
  local known = self.known[id]
  if not known then
    known = (self.keeps_long or fits(self, id)) and id or "call_" .. hash(id)
    self.known[id] = known
  end
  return known
end

--- Returns the id to send for a new call: some servers begin to count anew with each answer.
---@param id string?
---@return string
function WireIds:open(id)
  id = (id == nil or id == "") and "call_0" or id
  local count = (self.counts[id] or 0) + 1
  self.counts[id] = count
  if count > 1 then
    local base = #id + 6 <= self.max and fits(self, id) and id or "call_" .. hash(id)
    self.known[id] = ("%s_%d"):format(base, count)
  end
  return self:get(id)
end

return wire_ids
