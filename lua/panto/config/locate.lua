-- A TOML text and a path of keys into the line on which that key stands, for messages.

local locate = {}

local function parse_part(text, at)
  local quoted, after = text:match('^"(.-[^\\])"()', at)
  if text:sub(at, at + 1) == '""' then
    return "", at + 2
  elseif quoted then
    return quoted:gsub("\\(.)", "%1"), after
  end
  quoted, after = text:match("^'([^']*)'()", at)
  if quoted then
    return quoted, after
  end
  return text:match("^([%w_-]+)()", at)
end

-- `a."b c".d` from byte `at`: its parts and the first byte after it, or nil.
local function parse_key(text, at)
  local parts = {}
  while true do
    at = text:match("^[ \t]*()", at)
    local part, after = parse_part(text, at)
    if not part then
      return nil
    end
    parts[#parts + 1] = part
    local dot = text:match("^[ \t]*%.()", after)
    if not dot then
      return parts, text:match("^[ \t]*()", after)
    end
    at = dot
  end
end

-- How much of `path` a line for `full` defines; 0 when it is about something else.
local function depth_of(full, path)
  for i = 1, math.min(#full, #path) do
    if full[i] ~= path[i] then
      return 0
    end
  end
  return math.min(#full, #path)
end

local function joined(table_path, parts)
  local full = { table.unpack(table_path) }
  return table.move(parts, 1, #parts, #full + 1, full)
end

local function opens_long_string(value)
  for _, mark in ipairs({ '"""', "'''" }) do
    local _, count = value:gsub(mark, "")
    if count % 2 == 1 then
      return mark
    end
  end
end

-- Calls visit(line, path of keys) for each header and each key of the text.
local function each_key(text, visit)
  local current, long_string, number = {}, nil, 0
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    number = number + 1
    local header = line:match("^[ \t]*%[%[?()")
    if long_string then
      long_string = not line:find(long_string, 1, true) and long_string or nil
    elseif header then
      current = parse_key(line, header) or current
      visit(number, current)
    else
      local parts, after = parse_key(line, 1)
      if parts and line:sub(after, after) == "=" then
        visit(number, joined(current, parts))
        long_string = opens_long_string(line:sub(after + 1))
      end
    end
  end
end

--- Returns the line of a key, or of the nearest table around it; nil when the text has neither.
---@param text string
---@param path string[] such as { "providers", "openai", "style" }
---@return integer?
function locate.line(text, path)
  local best, best_depth
  each_key(text, function(number, full)
    local depth = depth_of(full, path)
    if depth > (best_depth or 0) then
      best, best_depth = number, depth
    end
  end)
  return best
end

--- Writes a path of keys as TOML does, quoting what is no bare key.
---@param path string[]
---@return string
function locate.encode(path)
  local parts = {}
  for i, key in ipairs(path) do
    key = tostring(key)
    parts[i] = key:match("^[%w_-]+$") and key or ('"%s"'):format(key:gsub('[\\"]', "\\%0"))
  end
  return table.concat(parts, ".")
end

return locate
