-- Gives each tool call an id that the API takes: of its characters, and unlike any before it.

local wire_ids = require("panto.provider.wire_ids")

local ids = {}

local LONGEST = 64
local FORBIDDEN = "[^%w_-]"

---@class panto.AnthropicIds
---@field wire panto.WireIds
---@field counts table<string, integer> how often an id was used
---@field sent table<string, string> id as it came → id of the last call that had it
local Ids = {}
Ids.__index = Ids

--- Returns an empty mapping for one request.
---@return panto.AnthropicIds
function ids.new()
  return setmetatable({ wire = wire_ids.new(LONGEST, FORBIDDEN), counts = {}, sent = {} }, Ids)
end

--- Says whether the calls that follow came from this API and keep their ids.
---@param is_own boolean
function Ids:set_own(is_own)
  self.wire.keeps_long = is_own
end

--- Returns the id to send for a call.
---@param id string?
---@return string
function Ids:call(id)
  local base = self.wire:get(id)
  local count = (self.counts[base] or 0) + 1
  self.counts[base] = count
  local sent = count == 1 and base or ("%s_%d"):format(base, count)
  self.sent[id or ""] = sent
  return sent
end

--- Returns the id to send for the result of a call; nil when there was no such call.
---@param id string?
---@return string?
function Ids:result(id)
  return self.sent[id or ""]
end

return ids
