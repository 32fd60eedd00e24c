-- The configuration files that exist into layers: { path, text, data }, lowest first.

---@class panto.config.Layer
---@field name string "base", "user", "project", "local" or "models"
---@field rank integer position among the layers
---@field path string
---@field text string
---@field data table

---@class panto.config.Paths
---@field base string?
---@field user string?
---@field project string? nil when the project is not trusted
---@field project_local string?
---@field models string?

---@class panto.config.Sources
---@field paths panto.config.Paths
---@field read_file fun(path: string): string?, string?, string?
---@field getenv fun(name: string): string?
---@field decode_toml fun(text: string): table?, string?

local layers = {}

local ORDER = { "base", "user", "project", "project_local", "models" }

-- What the parser says, and what mends it.
local MENDS = {
  ["Invalid value"] = "a text value needs quotes",
  ["Cannot overwrite a value"] = "this key was already given above",
  ["Expected newline or end of document after a statement"] = "one key = value a line",
  ["Unclosed array"] = "a ] is missing",
}

local function byte_order_mark(text)
  if text:sub(1, 2) == "\xff\xfe" or text:sub(1, 2) == "\xfe\xff" then
    return nil, "the file is UTF-16; save it as UTF-8"
  end
  return (text:gsub("^\xef\xbb\xbf", ""))
end

local function syntax_error(report, rank, path, message)
  message = tostring(message)
  local line, column = message:match("line (%d+),? column (%d+)")
  local what = message:gsub("%s*%(at [^)]*%)%s*$", "")
  local mend = MENDS[what]
  local place = line and ("%s:%s:%s"):format(path, line, column) or path
  report:add_file_error(rank, place, "not valid TOML: " .. what .. (mend and ": " .. mend or ""))
end

local function read_layer(sources, report, name, rank)
  local path = sources.paths[name]
  local bytes, message, code = sources.read_file(path)
  if not bytes then
    if code ~= "ENOENT" and code ~= "ENOTDIR" then
      report:add_file_error(rank, path, "cannot be read: " .. tostring(message))
    end
    return nil
  end
  local text
  text, message = byte_order_mark(bytes)
  if not text then
    report:add_file_error(rank, path, message)
    return nil
  end
  local data
  data, message = sources.decode_toml(text)
  if not data then
    syntax_error(report, rank, path, message)
    return nil
  end
  return { name = name, rank = rank, path = path, text = text, data = data }
end

--- Reads the layers that exist; what cannot be read or parsed goes to the report.
---@param sources panto.config.Sources
---@param report panto.config.Report
---@return panto.config.Layer[] config_layers lowest first
---@return panto.config.Layer? models
function layers.read(sources, report)
  local found, models = {}, nil
  for rank, name in ipairs(ORDER) do
    local layer = sources.paths[name] and read_layer(sources, report, name, rank)
    if layer and name == "models" then
      models = layer
    elseif layer then
      found[#found + 1] = layer
    end
  end
  return found, models
end

return layers
