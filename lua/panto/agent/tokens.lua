-- Adds up what the turns of a conversation used, and what that costs by the model's prices.

---@class panto.Totals
---@field input integer
---@field output integer
---@field cache_read integer
---@field cache_write integer
---@field cost number? USD; nil once a price or a count was unknown
---@field context integer tokens of the last request with its answer
local Totals = {}
Totals.__index = Totals

local tokens = {}

local KINDS = { "input", "output", "cache_read", "cache_write" }

--- Makes totals of nothing.
---@return panto.Totals
function tokens.new()
  return setmetatable(
    { input = 0, output = 0, cache_read = 0, cache_write = 0, cost = 0, context = 0 },
    Totals
  )
end

--- Returns the price of one usage in USD; nil when a needed price is unknown.
---@param usage panto.Usage
---@param model panto.Model prices in USD per million tokens
---@return number?
function tokens.cost(usage, model)
  local cost = 0
  for _, kind in ipairs(KINDS) do
    local count = usage[kind] or 0
    if count > 0 then
      if not model[kind] then
        return nil
      end
      cost = cost + count * model[kind] / 1e6
    end
  end
  return cost
end

--- Returns the totals as plain data, to be written down.
---@return table<string, number>
function Totals:snapshot()
  local copy = {}
  for name, value in pairs(self) do
    if type(value) == "number" then
      copy[name] = value
    end
  end
  return copy
end

--- Takes totals that were written down; what is missing is unknown or nothing.
---@param known table
function Totals:restore(known)
  for _, kind in ipairs({ "input", "output", "cache_read", "cache_write", "context" }) do
    self[kind] = type(known[kind]) == "number" and known[kind] or 0
  end
  self.cost = type(known.cost) == "number" and known.cost or nil
end

--- Adds the usage of one answer.
---@param usage panto.Usage
---@param model panto.Model
function Totals:add(usage, model)
  local context = 0
  for _, kind in ipairs(KINDS) do
    local count = usage[kind] or 0
    self[kind] = self[kind] + count
    context = context + count
  end
  self.context = context
  local cost = tokens.cost(usage, model)
  self.cost = self.cost and cost and self.cost + cost
end

return tokens
