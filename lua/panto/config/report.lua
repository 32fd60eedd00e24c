-- Problems of configuration files into messages: file, line, key, and the nearest known name.

local json = require("panto.base.json")
local locate = require("panto.config.locate")
local nearest = require("panto.base.nearest")

---@class panto.config.Problem
---@field rank integer position of the file among the layers
---@field line integer
---@field text string

---@class panto.config.Report
---@field errors panto.config.Problem[]
---@field warnings panto.config.Problem[]
local Report = {}
Report.__index = Report

local report = {}

--- Makes an empty report.
---@return panto.config.Report
function report.new()
  return setmetatable({ errors = {}, warnings = {} }, Report)
end

--- Describes a value that was found; a secret one only by its type.
---@param value any
---@param secret boolean?
---@return string
function report.describe(value, secret)
  if value == "" then
    return "an empty string"
  elseif value == json.null then
    return "inf or nan"
  elseif type(value) == "table" then
    return (json.is_array(value) or #value > 0) and "an array" or "a table"
  elseif secret then
    return "a " .. type(value)
  elseif type(value) == "string" then
    local text = #value > 60 and value:sub(1, 57) .. "..." or value
    return ('"%s"'):format((text:gsub("%c", "?")))
  end
  return tostring(value)
end

--- Returns ' (did you mean "x"?)' for the known name nearest to a wrong one, else "".
---@param name any
---@param names string[]
---@return string
function report.hint(name, names)
  local found = type(name) == "string" and nearest.find(name, names, 1)[1]
  return found and (' (did you mean "%s"?)'):format(found) or ""
end

local function add(list, layer, path, text)
  local line = path and locate.line(layer.text, path)
  local place = line and ("%s:%d"):format(layer.path, line) or layer.path
  list[#list + 1] = { rank = layer.rank, line = line or 0, text = place .. ": " .. text }
end

--- Adds an error about the key at `path` of a layer; the text goes on after the key: "must be …".
---@param layer panto.config.Layer
---@param path string[]
---@param text string
function Report:add_error(layer, path, text)
  add(self.errors, layer, path, locate.encode(path) .. " " .. text)
end

--- Adds a warning about the key at `path` of a layer; the text goes on after the key.
---@param layer panto.config.Layer
---@param path string[]
---@param text string
function Report:add_warning(layer, path, text)
  add(self.warnings, layer, path, locate.encode(path) .. " " .. text)
end

--- Adds an error about a whole file, at a line and column when they are known.
---@param rank integer
---@param place string `path`, `path:line` or `path:line:column`
---@param text string
function Report:add_file_error(rank, place, text)
  table.insert(self.errors, { rank = rank, line = 0, text = place .. ": " .. text })
end

local function texts(problems)
  table.sort(problems, function(a, b)
    if a.rank ~= b.rank then
      return a.rank < b.rank
    elseif a.line ~= b.line then
      return a.line < b.line
    end
    return a.text < b.text
  end)
  local list = {}
  for i, problem in ipairs(problems) do
    list[i] = problem.text
  end
  return list
end

--- Returns all errors as one text, a line each, in the order of the files; nil when there are none.
---@return string?
function Report:error_text()
  return #self.errors > 0 and table.concat(texts(self.errors), "\n") or nil
end

--- Returns the warnings in the order of the files.
---@return string[]
function Report:warning_texts()
  return texts(self.warnings)
end

return report
