-- Adds up what the turns of a conversation used, and what that costs by the model's prices.

---@class panto.Totals
---@field input integer
---@field output integer
---@field cache_read integer
---@field cache_write integer
---@field cost number? USD; nil once a price or a count was unknown
---@field known_cost number USD; what is known of it even then
---@field context integer tokens of the last request with its answer
local Totals = {}
Totals.__index = Totals

local tokens = {}

local KINDS = { "input", "output", "cache_read", "cache_write" }

-- Binary fractions add up to 0.00026369999999999996 where 0.0002637 is meant.
local function round(cost)
  return tonumber(("%.10g"):format(cost)) + 0.0
end

--- Makes totals of nothing.
---@return panto.Totals
function tokens.new()
  local made = { input = 0, output = 0, cache_read = 0, cache_write = 0, context = 0 }
  made.cost, made.known_cost = 0, 0
  return setmetatable(made, Totals)
end

--- Returns the price of one usage in USD; nil when a needed price or count is unknown.
---@param usage panto.Usage?
---@param model panto.Model? prices in USD per million tokens
---@return number?
function tokens.cost(usage, model)
  if not usage or not usage.input or not usage.output then
    return nil
  end
  model = model or {}
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
  return round(cost)
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
  for kind in pairs(tokens.new()) do
    self[kind] = type(known[kind]) == "number" and known[kind] or 0
  end
  self.cost = type(known.cost) == "number" and known.cost or nil
  self.known_cost = math.max(self.known_cost, self.cost or 0)
end

--- Adds the usage of one answer.
---@param usage panto.Usage? nil when the server told none
---@param model panto.Model?
---@param is_partial boolean? the answer broke off, so that its last counts never came
function Totals:add(usage, model, is_partial)
  local cost = tokens.cost(usage, model)
  self.known_cost = round(self.known_cost + (cost or 0))
  self.cost = not is_partial and self.cost and cost and round(self.cost + cost) or nil
  if not usage then
    return
  end
  local context = 0
  for _, kind in ipairs(KINDS) do
    local count = usage[kind] or 0
    self[kind] = self[kind] + count
    context = context + count
  end
  self.context = context
end

return tokens
