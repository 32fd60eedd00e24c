-- Turns what stands before the cursor into names that may follow: globals, fields, modules.

local fs = require("panto.sys.fs")

local lua_complete = {}

local MAX_ITEMS = 200
local KEYWORDS = "and break do else elseif end false for function goto if in local nil not or "
  .. "repeat return then true until while"

-- What `__index` tables add is seen; functions are never called for a completion.
local function each_key(value, take)
  for _ = 1, 10 do
    if type(value) == "table" then
      for key in next, value do
        take(key)
      end
    end
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index") or nil
    if type(value) ~= "table" then
      return
    end
  end
end

local function get_field(value, key)
  for _ = 1, 10 do
    if type(value) == "table" and rawget(value, key) ~= nil then
      return rawget(value, key)
    end
    local meta = debug.getmetatable(value)
    value = type(meta) == "table" and rawget(meta, "__index") or nil
    if type(value) ~= "table" then
      return nil
    end
  end
  return nil
end

local function resolve(path)
  local value = _G
  for name in path:gmatch("[%a_][%w_]*") do
    value = get_field(value, name)
  end
  return value
end

local function is_callable(value)
  local meta = debug.getmetatable(value)
  return type(value) == "function" or type(meta) == "table" and meta.__call ~= nil
end

local function names_of(names, prefix)
  local list = {}
  for name in pairs(names) do
    if name:sub(1, #prefix) == prefix then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  local items = {}
  for i = 1, math.min(#list, MAX_ITEMS) do
    items[i] = { label = list[i], value = list[i] }
  end
  return items
end

local function fields(owner, separator, prefix)
  local value = owner == "" and _G or resolve(owner)
  local names = {}
  each_key(value, function(key)
    local fits = type(key) == "string" and key:match("^[%a_][%w_]*$")
    if fits and (separator ~= ":" or is_callable(get_field(value, key))) then
      names[key] = true
    end
  end)
  for word in (owner == "" and KEYWORDS or ""):gmatch("%a+") do
    names[word] = true
  end
  return names_of(names, prefix)
end

local function add_files(names, template, folder)
  local root, ending = template:match("^(.-)/?%?(.*)$")
  if not root then
    return
  end
  local inside = folder:gsub("%.", "/")
  for _, entry in ipairs(fs.list(fs.join(root == "" and "." or root, inside)) or {}) do
    local stem = entry.name:sub(-#ending) == ending and entry.name:sub(1, -#ending - 1)
    if stem and stem ~= "" and not stem:find("%.") then
      names[folder .. stem] = true
    elseif entry.type == "directory" and not entry.name:find("%.") then
      names[folder .. entry.name] = true
    end
  end
end

local function modules(prefix)
  local names = {}
  for _, known in ipairs({ package.loaded, package.preload }) do
    each_key(known, function(name)
      names[tostring(name)] = true
    end)
  end
  local folder = prefix:match("^.*%.") or ""
  for template in (package.path .. ";" .. package.cpath):gmatch("[^;]+") do
    add_files(names, template, folder)
  end
  return names_of(names, prefix)
end

--- Completes a line at a place; nil where nothing fits.
---@param line string
---@param col integer bytes before the cursor
---@return panto.tui.Completion?
function lua_complete.complete(line, col)
  local before = line:sub(1, col)
  local module = before:match("require%s*%(?%s*[\"']([%w_.%-]*)$")
  if module then
    return { start = col - #module, items = modules(module) }
  end
  local chain = before:match("[%a_][%w_.:]*$")
  if not chain or before:sub(1, -#chain - 1):find("[%w.:\"'%]%)]$") then
    return nil
  end
  local owner, separator, prefix = chain:match("^(.*)([.:])([%w_]*)$")
  if not owner then
    owner, prefix = "", chain
  end
  return { start = col - #prefix, items = fields(owner, separator, prefix) }
end

return lua_complete
