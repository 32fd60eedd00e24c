-- Counts how often a model repeats itself: the same calls with the same results, one after another.

local json = require("panto.base.json")

local loop_guard = {}

local TELL_AT, STOP_AT = 4, 8

---@class panto.LoopGuard
---@field last string? the last call with its result
---@field count integer how many times running
---@field round string[] the calls of this round so far
---@field last_round string?
---@field round_count integer
local LoopGuard = {}
LoopGuard.__index = LoopGuard

--- Returns a guard that has seen nothing.
---@return panto.LoopGuard
function loop_guard.new()
  return setmetatable({ count = 0, round = {}, round_count = 0 }, LoopGuard)
end

local function key_of(call, result_text)
  local input = call.input and json.encode(call.input) or call.arguments or ""
  return call.name .. "\0" .. input .. "\0" .. result_text
end

local function advice(count)
  if count < TELL_AT then
    return nil
  end
  local text = "[panto: this call was made %d times running with the same result. Repeating it "
    .. "changes nothing; do something else, or say what is missing.]"
  return text:format(count)
end

--- Takes a call with its result, in call order; returns what the model is to be told, if anything.
---@param call panto.ToolCallPart
---@param result_text string
---@return string?
function LoopGuard:add(call, result_text)
  local key = key_of(call, result_text)
  self.count = key == self.last and self.count + 1 or 1
  self.last = key
  self.round[#self.round + 1] = key
  return advice(math.max(self.count, self:repeated_rounds()))
end

--- Returns how many rounds of several calls have been the same, this one counted as it stands.
---@return integer
function LoopGuard:repeated_rounds()
  return table.concat(self.round, "\1") == self.last_round and self.round_count + 1 or 1
end

--- Ends a round of calls; returns true when the turn should stop.
---@return boolean
function LoopGuard:close_round()
  self.round_count = self:repeated_rounds()
  self.last_round = table.concat(self.round, "\1")
  self.round = {}
  return math.max(self.count, self.round_count) >= STOP_AT
end

return loop_guard
