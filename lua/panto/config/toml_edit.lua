-- A TOML text and the keys that a table of it must have into the changed text; all else stays as it is.

local json = require("panto.base.json")

local toml_edit = {}

local function quote(value)
  if type(value) ~= "string" then
    return tostring(value)
  end
  return json.encode(value) -- a JSON string is a basic string of TOML
end

local function header_of(path)
  local parts = {}
  for i, part in ipairs(path) do
    parts[i] = part:find("^[%w_-]+$") and part or quote(part)
  end
  return "[" .. table.concat(parts, ".") .. "]"
end

local function split(text)
  local lines = {}
  for line in (text:gsub("\r\n", "\n")):gmatch("([^\n]*)\n?") do
    lines[#lines + 1] = line
  end
  while lines[1] and lines[#lines] == "" do
    table.remove(lines)
  end
  return lines
end

-- The first and last line of a table, by its header.
local function find_table(lines, header)
  local first
  for i, line in ipairs(lines) do
    if first and line:find("^%s*%[") then
      return first, i - 1
    elseif line:gsub("#.*$", ""):gsub("%s", "") == header then
      first = i
    end
  end
  return first, first and #lines
end

local function find_key(lines, first, last, key)
  for i = first + 1, last do
    if lines[i]:match("^%s*([%w_-]+)%s*=") == key then
      return i
    end
  end
end

local function set_table(lines, path, pairs_list)
  local header = header_of(path)
  local first, last = find_table(lines, header)
  if not first then
    if lines[1] then
      lines[#lines + 1] = ""
    end
    lines[#lines + 1] = header
    first, last = #lines, #lines
  end
  local at = first
  for _, pair in ipairs(pairs_list) do
    local line = ("%s = %s"):format(pair[1], quote(pair[2]))
    local known = find_key(lines, first, last, pair[1])
    if known then
      lines[known] = line
      at = math.max(at, known)
    else
      at = at + 1
      table.insert(lines, at, line)
      last = last + 1
    end
  end
end

local function expected(data, tables)
  for _, wanted in ipairs(tables) do
    local place = data
    for _, part in ipairs(wanted.path) do
      if type(place[part]) ~= "table" then
        place[part] = {}
      end
      place = place[part]
    end
    for _, pair in ipairs(wanted.values) do
      place[pair[1]] = pair[2]
    end
  end
  return data
end

---@class panto.config.TableEdit
---@field path string[] such as { "providers", "local" }
---@field values { [1]: string, [2]: string|number|boolean }[] keys in the order of writing

--- Sets keys of tables; nil when the text is written in a way that this cannot change safely.
---@param text string
---@param tables panto.config.TableEdit[]
---@param decode fun(text: string): table?, string?
---@return string? changed
---@return string? message
function toml_edit.set(text, tables, decode)
  local before, message = decode(text)
  if not before then
    return nil, message
  end
  local lines = split(text)
  for _, wanted in ipairs(tables) do
    set_table(lines, wanted.path, wanted.values)
  end
  local changed = table.concat(lines, "\n") .. "\n"
  local after = decode(changed)
  if not after or json.encode(after) ~= json.encode(expected(before, tables)) then
    return nil, "it is written in a way that panto cannot change safely"
  end
  return changed
end

--- Renders tables as TOML, for a person to copy.
---@param tables panto.config.TableEdit[]
---@return string
function toml_edit.render(tables)
  local lines = {}
  for _, wanted in ipairs(tables) do
    set_table(lines, wanted.path, wanted.values)
  end
  return table.concat(lines, "\n") .. "\n"
end

return toml_edit
