-- The lines of a .gitignore into rules that tell which paths below its folder are left out.

local gitignore = {}

---@class panto.IgnoreRule
---@field pattern string a Lua pattern of the whole path below the file's folder
---@field is_kept boolean the line began with "!"
---@field needs_folder boolean the line ended with "/"

---@class panto.IgnoreRules
---@field rules panto.IgnoreRule[]
local Rules = {}
Rules.__index = Rules

local function escape(text)
  return (text:gsub("[%^%$%(%)%%%.%[%]%*%+%-%?]", "%%%0"))
end

-- A class such as [a-z] or [!0-9]; nil where it is not closed.
local function class_at(glob, at)
  local inner, stop = glob:match("^%[([!^]?%]?[^%]]*)%]()", at)
  if not inner then
    return nil
  end
  local negation, set = inner:match("^([!^]?)(.*)$")
  set = set:gsub("[%%%]%[%^]", "%%%0")
  return "[" .. (negation ~= "" and "^/" or "") .. set .. "]", stop
end

-- One part of a path, between two slashes.
local function part_pattern(glob)
  local out, at = {}, 1
  while at <= #glob do
    local letter = glob:sub(at, at)
    if letter == "*" then
      out[#out + 1] = "[^/]*"
      at = glob:match("^%*+()", at)
    elseif letter == "?" then
      out[#out + 1], at = "[^/]", at + 1
    elseif letter == "[" then
      local class, stop = class_at(glob, at)
      out[#out + 1], at = class or "%[", stop or at + 1
    elseif letter == "\\" and at < #glob then
      out[#out + 1], at = escape(glob:sub(at + 1, at + 1)), at + 2
    else
      out[#out + 1], at = escape(letter), at + 1
    end
  end
  return table.concat(out)
end

-- Lua patterns have no groups: "**/" in the middle of a pattern becomes one pattern for no folder
-- and one for some.
local function path_patterns(glob)
  local found = { "" }
  local parts = {}
  for part in glob:gmatch("[^/]+") do
    parts[#parts + 1] = part
  end
  for index, part in ipairs(parts) do
    local is_last, longer = index == #parts, {}
    for _, head in ipairs(found) do
      if part == "**" and is_last then
        longer[#longer + 1] = head .. ".+"
      elseif part == "**" and #found < 8 then
        longer[#longer + 1] = head
        longer[#longer + 1] = head .. ".+/"
      else
        longer[#longer + 1] = head .. part_pattern(part) .. (is_last and "" or "/")
      end
    end
    found = longer
  end
  return found
end

local function add_rule(rules, line)
  line = line:gsub("\r$", "")
  while line:find("[^\\] $") do
    line = line:sub(1, -2)
  end
  if line == "" or line:sub(1, 1) == "#" then
    return
  end
  local is_kept = line:sub(1, 1) == "!"
  line = is_kept and line:sub(2) or line
  local needs_folder = line:sub(-1) == "/"
  line = needs_folder and line:sub(1, -2) or line
  local is_anchored = line:find("/", 1, true) ~= nil
  for _, pattern in ipairs(path_patterns(line)) do
    rules[#rules + 1] = {
      pattern = "^" .. pattern .. "$",
      is_kept = is_kept,
      needs_folder = needs_folder,
      is_name = not is_anchored,
    }
  end
end

--- Parses the text of one file.
---@param text string
---@return panto.IgnoreRules
function gitignore.parse(text)
  local rules = {}
  for line in text:gmatch("[^\n]+") do
    add_rule(rules, line)
  end
  return setmetatable({ rules = rules }, Rules)
end

--- Tells whether a path is left out (true), kept by a "!" line (false), or not spoken of (nil).
---@param path string below the folder of the file, without a slash at either end
---@param is_folder boolean
---@return boolean?
function Rules:match(path, is_folder)
  local name = path:match("[^/]*$")
  for index = #self.rules, 1, -1 do
    local rule = self.rules[index]
    local subject = rule.is_name and name or path
    if (is_folder or not rule.needs_folder) and subject:find(rule.pattern) then
      return not rule.is_kept
    end
  end
  return nil
end

return gitignore
