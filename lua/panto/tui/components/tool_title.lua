-- Turns a tool's name and its arguments into a short title.
local plain = require("panto.tui.plain")

local tool_title = {}

-- The argument that says most, when a tool has one of these.
local LEADING = { "command", "path", "file", "url", "pattern", "query" }
local PATHS = { path = true, file = true, cwd = true }
-- What the result shows anyway.
local LEFT_OUT = { content = true, old_text = true, new_text = true, edits = true }
local MAX_VALUE = 200

local function one_line(value)
  local line = plain.reveal(value)
  local first = line:match("^%s*([^\n]*)")
  local is_cut = #first > MAX_VALUE or line:find("\n%s*%S", #first) ~= nil
  first = #first > MAX_VALUE and first:sub(1, (utf8.offset(first, 0, MAX_VALUE)) - 1) or first
  return first .. (is_cut and "…" or "")
end

local function relative(path, cwd)
  local folder = cwd and cwd:gsub("/$", "") .. "/"
  return folder and path:sub(1, #folder) == folder and path:sub(#folder + 1) or path
end

local function shown(value, name, cwd)
  if type(value) == "string" then
    return one_line(PATHS[name] and relative(value, cwd) or value)
  elseif type(value) == "table" then
    return #value > 0 and "[" .. #value .. "]" or "{…}"
  end
  return tostring(value)
end

local function leading_of(input)
  for _, name in ipairs(LEADING) do
    if type(input[name]) == "string" then
      return name
    end
  end
  local only = next(input)
  if only ~= nil and next(input, only) == nil then
    return only
  end
  return nil
end

--- Renders arguments as one short line: the one that says most, then the other simple ones.
---@param input table|string|nil
---@param cwd string? what paths are shown relative to
---@return string
function tool_title.arguments(input, cwd)
  if type(input) ~= "table" then
    return input and one_line(tostring(input)) or ""
  end
  local leading = leading_of(input)
  local names = {}
  for name, value in pairs(input) do
    local is_simple = type(value) ~= "table" and not tostring(value):find("\n")
    local is_wanted = not leading or is_simple and not LEFT_OUT[name]
    if name ~= leading and is_wanted then
      names[#names + 1] = tostring(name)
    end
  end
  table.sort(names)
  local parts = {}
  if leading then
    parts[1] = shown(input[leading], leading, cwd)
  end
  for _, name in ipairs(names) do
    parts[#parts + 1] = name .. "=" .. shown(input[name], name, cwd)
  end
  return table.concat(parts, " ")
end

return tool_title
