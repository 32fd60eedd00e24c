-- Values into the names that JSON Schema has for their types.

local json = require("panto.base.json")

local schema_types = {}

--- Names the JSON type of a value; an empty table without a mark counts as an object.
---@param value any
---@return string type
function schema_types.type_of(value)
  local kind = type(value)
  if value == nil or value == json.null then
    return "null"
  elseif kind == "number" then
    return (math.type(value) == "integer" or value % 1 == 0) and "integer" or "number"
  elseif kind == "table" then
    return json.is_array(value) and "array" or "object"
  end
  return kind
end

--- Says whether a value is of a JSON type; an empty table without a mark is object and array.
---@param value any
---@param wanted string
---@return boolean
function schema_types.is(value, wanted)
  local kind = schema_types.type_of(value)
  if kind == wanted or (wanted == "number" and kind == "integer") then
    return true
  end
  return wanted == "array" and kind == "object" and next(value) == nil
end

--- Lists the types that a schema allows; none means any.
---@param schema table
---@return string[]
function schema_types.types_of(schema)
  local kind = schema.type
  return type(kind) == "string" and { kind } or type(kind) == "table" and kind or {}
end

--- Says whether a value is of one of the types, or there are none.
---@param value any
---@param types string[]
---@return boolean
function schema_types.is_any(value, types)
  for _, kind in ipairs(types) do
    if schema_types.is(value, kind) then
      return true
    end
  end
  return #types == 0
end

return schema_types
