-- A Lua value as text for a failure, and the first place in which two values differ.

local show = {}

local DEPTH, ITEMS = 6, 60

local function by_type(a, b)
  if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then
    return a < b
  end
  return type(a) < type(b)
end

local function sorted_keys(value)
  local keys = {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys, by_type)
  return keys
end

local function quote(text)
  return '"' .. text:gsub('[\\"]', "\\%0"):gsub("\n", "\\n"):gsub("\27", "\\27") .. '"'
end

local function key_text(key)
  if type(key) == "string" and key:find("^[%a_][%w_]*$") then
    return key
  end
  return ("[%s]"):format(show.value(key))
end

local function table_text(value, depth, indent)
  local keys = sorted_keys(value)
  if #keys == 0 then
    return "{}"
  elseif depth == 0 then
    return "{ … }"
  end
  local inner, lines = indent .. "  ", {}
  for i, key in ipairs(keys) do
    if i > ITEMS then
      lines[#lines + 1] = ("%s… %d more"):format(inner, #keys - ITEMS)
      break
    end
    local shown = show.value(value[key], depth - 1, inner)
    local name = key == i and "" or key_text(key) .. " = "
    lines[#lines + 1] = ("%s%s%s,"):format(inner, name, shown)
  end
  return ("{\n%s\n%s}"):format(table.concat(lines, "\n"), indent)
end

--- Writes a value.
---@param value any
---@param depth integer? of tables in tables
---@param indent string?
---@return string
function show.value(value, depth, indent)
  if type(value) == "string" then
    return quote(value)
  elseif type(value) == "table" then
    return table_text(value, depth or DEPTH, indent or "")
  end
  return tostring(value)
end

local function differ(a, b, path, seen)
  if rawequal(a, b) or (type(a) ~= "table" and a == b) then
    return nil
  elseif type(a) ~= "table" or type(b) ~= "table" then
    return path
  elseif seen[a] == b then
    return nil
  end
  seen[a] = b
  local keys = sorted_keys(a)
  for _, key in ipairs(sorted_keys(b)) do
    if a[key] == nil then
      keys[#keys + 1] = key
    end
  end
  for _, key in ipairs(keys) do
    local step = type(key) == "string" and key:find("^[%a_][%w_]*$") and "." .. key
      or ("[%s]"):format(show.value(key))
    local found = differ(a[key], b[key], path .. step, seen)
    if found then
      return found
    end
  end
end

--- Returns where two values differ, such as `.lines[2]`; empty for the values themselves, nil when
--- they are the same all through.
---@param a any
---@param b any
---@return string?
function show.difference(a, b)
  return differ(a, b, "", {})
end

return show
