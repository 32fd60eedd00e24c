-- The limits of a schema (least and most of a number, a text, a list) and a value, into complaints.

local json = require("panto.base.json")

local function number_bounds(schema, value, say)
  if schema.minimum and value < schema.minimum then
    say("must be at least %s, got %s", schema.minimum, value)
  end
  if schema.maximum and value > schema.maximum then
    say("must be at most %s, got %s", schema.maximum, value)
  end
  if type(schema.exclusiveMinimum) == "number" and value <= schema.exclusiveMinimum then
    say("must be more than %s, got %s", schema.exclusiveMinimum, value)
  end
  if type(schema.exclusiveMaximum) == "number" and value >= schema.exclusiveMaximum then
    say("must be less than %s, got %s", schema.exclusiveMaximum, value)
  end
end

local function size_bounds(least, most, size, unit, say)
  if least and size < least then
    say("must have at least %s %s, got %s", least, unit, size)
  end
  if most and size > most then
    say("must have at most %s %s, got %s", most, unit, size)
  end
end

local schema_bounds = {}

--- Lists where a value lies outside the limits of its schema.
---@param schema table
---@param value any
---@return string[] complaints
function schema_bounds.check(schema, value)
  local complaints = {}
  local function say(text, ...)
    complaints[#complaints + 1] = text:format(...)
  end
  if type(value) == "number" then
    number_bounds(schema, value, say)
  elseif type(value) == "string" then
    local size = utf8.len(value) or #value
    size_bounds(schema.minLength, schema.maxLength, size, "characters", say)
  elseif json.is_array(value) or (type(value) == "table" and next(value) == nil) then
    if schema.type ~= "object" then
      size_bounds(schema.minItems, schema.maxItems, #value, "items", say)
    end
  end
  return complaints
end

return schema_bounds
