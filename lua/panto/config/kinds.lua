-- The kinds of value a key may hold: whether a value fits, and the words for what is allowed.

local json = require("panto.base.json")

local kinds = {}

local function is_strings(value)
  if type(value) ~= "table" or not (json.is_array(value) or #value > 0 or next(value) == nil) then
    return false
  end
  for _, item in ipairs(value) do
    if type(item) ~= "string" then
      return false
    end
  end
  return true
end

local function of_type(name)
  return function(value)
    return type(value) == name
  end
end

---@type table<string, { fits: (fun(value: any): boolean), allowed: string }>
local KINDS = {
  string = { fits = of_type("string"), allowed = "be a text in quotes" },
  boolean = { fits = of_type("boolean"), allowed = "be true or false, without quotes" },
  integer = {
    fits = function(value)
      return math.type(value) == "integer"
    end,
    allowed = "be a whole number, without quotes",
  },
  count = {
    fits = function(value)
      return math.type(value) == "integer" and value > 0
    end,
    allowed = "be a whole number greater than 0, without quotes",
  },
  seconds = {
    fits = function(value)
      return type(value) == "number" and value > 0 and value < math.huge
    end,
    allowed = "be a number of seconds greater than 0, without quotes",
  },
  price = {
    fits = function(value)
      return type(value) == "number" and value >= 0 and value < math.huge
    end,
    allowed = "be US dollars per million tokens, such as 2.5, without quotes (0 for free)",
  },
  strings = { fits = is_strings, allowed = 'be an array of texts, such as ["std.*"]' },
  ref = {
    fits = function(value)
      return type(value) == "string" and value:match("^[^:]+:[^:]+$") ~= nil
    end,
    allowed = 'look like "provider:model" (exactly one colon)',
  },
}

local function is_choice(value, choices)
  for _, word in ipairs(choices) do
    if word == value then
      return true
    end
  end
  return false
end

--- Tells whether a value fits a shape, and if not, what it must do: "be …" or "look like …".
---@param value any
---@param shape panto.config.Shape
---@return boolean fits
---@return string? allowed
function kinds.check(value, shape)
  if shape.choices then
    if is_choice(value, shape.choices) then
      return true
    end
    return false, shape.allowed or 'be one of "' .. table.concat(shape.choices, '", "') .. '"'
  end
  local kind = KINDS[shape.kind]
  if kind.fits(value) then
    return true
  end
  return false, kind.allowed
end

return kinds
