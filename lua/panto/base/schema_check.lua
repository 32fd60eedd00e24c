-- A JSON Schema (the subset that tools use) and a value, into what is wrong with it, said so that a
-- model can mend its call. Places are written as in Lua: `edits[1].old_text`.

local json = require("panto.base.json")
local nearest = require("panto.base.nearest")
local schema_bounds = require("panto.base.schema_bounds")
local schema_types = require("panto.base.schema_types")

local types_of, is_any_type, type_of =
  schema_types.types_of, schema_types.is_any, schema_types.type_of

local MOST_PROBLEMS = 5

local check_value

local function shown(value)
  local ok = type(value) ~= "function" and type(value) ~= "userdata" and type(value) ~= "thread"
  return ok and json.encode(value) or type(value)
end

local function same(a, b)
  if a == b or type(a) ~= "table" or type(b) ~= "table" then
    return a == b
  elseif a == json.null or b == json.null then
    return false
  end
  for key, item in pairs(a) do
    if not same(item, b[key]) then
      return false
    end
  end
  for key in pairs(b) do
    if a[key] == nil then
      return false
    end
  end
  return true
end

local function add_problem(problems, path, text)
  problems[#problems + 1] = (path == "" and "arguments" or path) .. ": " .. text
end

local function child_path(path, key)
  return path == "" and key or path .. "." .. key
end

local function sorted_names(properties)
  local names = {}
  for name in pairs(properties) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

-- "a string (the file to read)", for a property that should be there.
local function wanted(schema)
  schema = type(schema) == "table" and schema or {}
  local types = table.concat(types_of(schema), " or ")
  local text = types == "" and "a value" or types
  return schema.description and ("%s (%s)"):format(text, schema.description) or text
end

local function check_unknown(properties, name, path, problems)
  local names = sorted_names(properties)
  local near = nearest.find(name, names, 1)[1]
  local text = "unknown property"
  if near then
    text = ('%s, did you mean "%s"?'):format(text, near)
  end
  local allowed = #names > 0 and "allowed: " .. table.concat(names, ", ") or "none is allowed"
  add_problem(problems, child_path(path, name), text .. (near and " " or "; ") .. allowed)
end

local function check_object(schema, value, path, problems)
  local properties = schema.properties or {}
  for _, name in ipairs(schema.required or {}) do
    if value[name] == nil then
      local text = "required but missing, expected " .. wanted(properties[name])
      add_problem(problems, child_path(path, name), text)
    end
  end
  for _, name in ipairs(sorted_names(value)) do
    local inner = properties[name]
    if inner ~= nil then
      check_value(inner, value[name], child_path(path, name), problems)
    elseif schema.additionalProperties == false then
      check_unknown(properties, name, path, problems)
    elseif type(schema.additionalProperties) == "table" then
      check_value(schema.additionalProperties, value[name], child_path(path, name), problems)
    end
  end
end

local function check_array(schema, value, path, problems)
  if schema.items ~= nil then
    for index, item in ipairs(value) do
      check_value(schema.items, item, ("%s[%d]"):format(path, index), problems)
    end
  end
end

-- Checks anyOf or oneOf: the problems of each alternative are told when none fits.
local function check_alternatives(alternatives, value, path, problems, only_one)
  local fitting, reasons = 0, {}
  for index, alternative in ipairs(alternatives) do
    local inner = {}
    check_value(alternative, value, path, inner)
    if #inner == 0 then
      fitting = fitting + 1
    else
      reasons[#reasons + 1] = ("(%d) %s"):format(index, inner[1])
    end
  end
  if fitting == 0 then
    add_problem(problems, path, "fits none of the allowed forms: " .. table.concat(reasons, "; "))
  elseif only_one and fitting > 1 then
    add_problem(problems, path, ("fits %d forms, but only one is allowed"):format(fitting))
  end
end

local function check_choice(schema, value, path, problems)
  if schema.const ~= nil and not same(schema.const, value) then
    add_problem(problems, path, ("expected %s, got %s"):format(shown(schema.const), shown(value)))
  end
  if not schema.enum then
    return
  end
  local choices, names = {}, {}
  for _, choice in ipairs(schema.enum) do
    if same(choice, value) then
      return
    end
    choices[#choices + 1] = shown(choice)
    names[#names + 1] = type(choice) == "string" and choice or nil
  end
  local near = type(value) == "string" and nearest.find(value, names, 1)[1]
  local hint = near and (', did you mean "%s"?'):format(near) or ""
  local text = "expected one of %s, got %s%s"
  add_problem(problems, path, text:format(table.concat(choices, ", "), shown(value), hint))
end

function check_value(schema, value, path, problems)
  if #problems >= MOST_PROBLEMS or schema == true then
    return
  elseif schema == false then
    return add_problem(problems, path, "not allowed here, leave it out")
  end
  local types = types_of(schema)
  if not is_any_type(value, types) then
    local text = ("expected %s, got %s"):format(table.concat(types, " or "), type_of(value))
    return add_problem(problems, path, text)
  end
  check_choice(schema, value, path, problems)
  for _, text in ipairs(schema_bounds.check(schema, value)) do
    add_problem(problems, path, text)
  end
  if type(value) == "table" and value ~= json.null then
    if json.is_array(value) then
      check_array(schema, value, path, problems)
    elseif schema.type ~= "array" then
      check_object(schema, value, path, problems)
    end
  end
  for _, inner in ipairs(schema.allOf or {}) do
    check_value(inner, value, path, problems)
  end
  if schema.anyOf then
    check_alternatives(schema.anyOf, value, path, problems, false)
  end
  if schema.oneOf then
    check_alternatives(schema.oneOf, value, path, problems, true)
  end
end

local schema_check = {}

--- Checks a value against a schema; the message names each place that is wrong (at most five).
---@param schema table|boolean
---@param value any
---@return true? ok
---@return string? message
function schema_check.check(schema, value)
  local problems = {}
  check_value(schema, value, "", problems)
  if #problems == 0 then
    return true
  end
  return nil, table.concat(problems, "; ", 1, math.min(#problems, MOST_PROBLEMS))
end

return schema_check
