-- A schema and a value that nearly fits it, into the value that was meant.

local json = require("panto.base.json")
local schema_check = require("panto.base.schema_check")
local schema_types = require("panto.base.schema_types")

local schema_coerce = {}

-- What a text says when the schema asks for something else than a text; nil when it does not.
local function read_text(text, types)
  for _, kind in ipairs(types) do
    local value
    if kind == "integer" or kind == "number" then
      value = text:match("^%s*-?[%d.]+[eE]?[+-]?%d*%s*$") and tonumber(text)
      value = value and math.tointeger(value) or value
    elseif kind == "boolean" then
      value = ({ ["true"] = true, ["false"] = false })[text:lower()]
    elseif kind == "object" or kind == "array" then
      value = text:find("^%s*[%[{]") and json.decode(text)
    end
    if value ~= nil and schema_types.is(value, kind) then
      return value
    end
  end
  return nil
end

local function is_required(schema, name)
  for _, other in ipairs(schema.required or {}) do
    if other == name then
      return true
    end
  end
  return false
end

local function coerce_object(schema, value)
  local changed = {}
  for name, inner in pairs(schema.properties or {}) do
    local item = value[name]
    if item ~= nil then
      local new = schema_coerce.coerce(inner, item)
      local unneeded = new == json.null and not is_required(schema, name)
      if unneeded and not schema_check.check(inner, new) then
        new = nil
      end
      if new ~= item then
        changed[#changed + 1] = { name = name, value = new }
      end
    end
  end
  if #changed == 0 then
    return value
  end
  local copy = setmetatable({}, getmetatable(value))
  for name, item in pairs(value) do
    copy[name] = item
  end
  for _, change in ipairs(changed) do
    copy[change.name] = change.value
  end
  return copy
end

--- Mends what models often send: "5" for 5, "true" for true, JSON text for an object or array, null
--- for an optional property. What fits already stays; the given value itself is not changed.
---@param schema table|boolean
---@param value any
---@return any value
function schema_coerce.coerce(schema, value)
  if type(schema) ~= "table" then
    return value
  end
  local types = schema_types.types_of(schema)
  if type(value) == "string" and not schema_types.is_any(value, types) then
    local read = read_text(value, types)
    value = read == nil and value or read
  end
  if type(value) ~= "table" or value == json.null then
    return value
  elseif not json.is_array(value) then
    return coerce_object(schema, value)
  elseif schema.items == nil then
    return value
  end
  local copy = json.array()
  for index, item in ipairs(value) do
    copy[index] = schema_coerce.coerce(schema.items, item)
  end
  return copy
end

return schema_coerce
