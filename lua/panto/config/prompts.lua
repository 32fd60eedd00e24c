-- SYSTEM.md, APPEND_SYSTEM.md and COMPACTION.md of the layers' folders into the prompts' texts.

local utf8x = require("panto.base.utf8x")

---@class panto.Prompts
---@field system string? the highest layer's SYSTEM.md
---@field append string[] every layer's APPEND_SYSTEM.md, lowest first
---@field compaction string? the highest layer's COMPACTION.md
---@field files string[] the files that count, in the order in which they count
---@field warnings string[] files that could not be read

---@class panto.PromptSources
---@field folders string[] lowest first: data home's agent/, config home, .panto
---@field read_file fun(path: string): string?, string?, string?

local prompts = {}

local function clean(bytes)
  local text = utf8x.repair((bytes:gsub("^\xef\xbb\xbf", "")))
  return (text:gsub("\r\n?", "\n"):gsub("%s+$", ""))
end

local function read_text(sources, result, folder, name)
  local path = folder:gsub("/+$", "") .. "/" .. name
  local bytes, message, code = sources.read_file(path)
  if bytes then
    return clean(bytes), path
  elseif code ~= "ENOENT" and code ~= "ENOTDIR" then
    table.insert(result.warnings, ("%s: cannot be read: %s"):format(path, tostring(message)))
  end
end

--- Reads the prompt files of the layers' folders.
---@param sources panto.PromptSources
---@return panto.Prompts
function prompts.read(sources)
  local result = { append = {}, files = {}, warnings = {} }
  local system_file, compaction_file
  local append_files = {}
  for _, folder in ipairs(sources.folders) do
    local text, path = read_text(sources, result, folder, "SYSTEM.md")
    if text then
      result.system, system_file = text, path
    end
    text, path = read_text(sources, result, folder, "APPEND_SYSTEM.md")
    if text and text ~= "" then
      table.insert(result.append, text)
      table.insert(append_files, path)
    end
    text, path = read_text(sources, result, folder, "COMPACTION.md")
    if text and text ~= "" then
      result.compaction, compaction_file = text, path
    end
  end
  result.files[1] = system_file
  table.move(append_files, 1, #append_files, #result.files + 1, result.files)
  result.files[#result.files + 1] = compaction_file
  return result
end

--- Returns the system prompt: SYSTEM.md or the default, then each APPEND_SYSTEM.md.
---@param read panto.Prompts
---@param default string? used when no layer has a SYSTEM.md
---@return string
function prompts.system(read, default)
  local parts = {}
  local first = read.system or default
  if first and first ~= "" then
    parts[1] = first
  end
  table.move(read.append, 1, #read.append, #parts + 1, parts)
  return table.concat(parts, "\n\n")
end

--- Returns the compaction prompt: the highest COMPACTION.md, or the default.
---@param read panto.Prompts
---@param default string?
---@return string?
function prompts.compaction(read, default)
  return read.compaction or default
end

return prompts
