-- Two layers of configuration into one: tables merge by key, scalars and arrays are replaced.

local json = require("panto.base.json")

local merge = {}

--- Tells whether a value is a table of keys, not an array and not a scalar.
---@param value any
---@return boolean
function merge.is_table(value)
  return type(value) == "table" and value ~= json.null and not json.is_array(value) and #value == 0
end

--- Returns a new table in which `upper` lies over `lower`; neither is changed.
---@param lower table
---@param upper table
---@return table
function merge.merge(lower, upper)
  local result = {}
  for key, value in pairs(lower) do
    result[key] = value
  end
  for key, value in pairs(upper) do
    local below = result[key]
    if merge.is_table(value) then
      result[key] = merge.merge(merge.is_table(below) and below or {}, value)
    else
      result[key] = value
    end
  end
  return result
end

--- Returns the keys of a table as a sorted list.
---@param t table
---@return string[]
function merge.keys(t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end

--- Returns the value at a path of keys, or nil.
---@param t table
---@param path string[]
---@return any
function merge.get(t, path)
  local value = t
  for _, key in ipairs(path) do
    if type(value) ~= "table" then
      return nil
    end
    value = value[key]
  end
  return value
end

return merge
