-- A path such as `endpoints.api` into the value that it names in decoded JSON. Keys may themselves
-- hold dots and slashes: the object that is there decides where one key ends and the next begins.

local json = require("panto.base.json")

local json_path = {}

local find

-- The rest of the path behind `key`, or nil when the path does not begin with it.
local function after(path, key)
  if path == key then
    return ""
  elseif key ~= "" and path:sub(1, #key) == key and path:find("^[./]", #key + 1) then
    return path:sub(#key + 2)
  end
end

local function find_in_array(list, path)
  local index, rest = path:match("^%[?(%d+)%]?[./]?(.*)$")
  if index then
    return find(list[math.tointeger(tonumber(index)) + 1], rest)
  end
end

local function find_in_object(object, path)
  local keys = {}
  for key in pairs(object) do
    if type(key) == "string" and after(path, key) then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, function(a, b)
    return #a > #b
  end)
  for _, key in ipairs(keys) do
    local value = find(object[key], after(path, key))
    if value ~= nil then
      return value
    end
  end
end

function find(value, path)
  if value == nil or value == json.null then
    return nil
  elseif path == "" then
    return value
  elseif type(value) ~= "table" then
    return nil
  elseif json.is_array(value) then
    return find_in_array(value, path)
  end
  return find_in_object(value, path)
end

--- Returns the value at a path, nil when there is none. Parts are separated by "." or "/", the
--- longest key that fits wins, array positions count from 0; a leading "$." or "/" may stand.
---@param value any decoded JSON
---@param path string
---@return any
function json_path.get(value, path)
  return find(value, (path:gsub("^%$%.?", ""):gsub("^/", "")))
end

--- Returns the text or number at a path as a text, nil when there is none or an empty one.
---@param value any decoded JSON
---@param path string
---@return string?
function json_path.get_text(value, path)
  local found = json_path.get(value, path)
  if type(found) == "number" then
    found = tostring(found)
  end
  return type(found) == "string" and found ~= "" and found or nil
end

return json_path
