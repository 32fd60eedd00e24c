-- Turns a path as a model wrote it into a path of this machine, and a failure on it into advice.
local panto = require("panto")

local fs, text = panto.fs, panto.text
local target = {}

--- Returns the absolute path that a tool argument names.
---@param path string as the model wrote it: relative, absolute or starting with `~`
---@param ctx { cwd?: string }
---@return string
function target.resolve(path, ctx)
  return fs.expand(path, (ctx and ctx.cwd) or fs.cwd())
end

local function names_of(folder)
  local names = {}
  for _, entry in ipairs(fs.list(folder) or {}) do
    names[#names + 1] = entry.name
  end
  return names
end

local function nearest_folder(path)
  local folder = fs.dirname(path)
  while not fs.stat(folder) and folder ~= "/" and folder ~= "." do
    folder = fs.dirname(folder)
  end
  return folder
end

--- Returns the sentence for a file that is not there, with its nearest siblings.
---@param path string absolute path
---@return string
function target.missing(path)
  local folder = fs.dirname(path)
  if not fs.stat(folder) then
    return ("%s does not exist, nor does its folder; the nearest folder that exists is %s"):format(
      path,
      nearest_folder(path)
    )
  end
  local near = text.nearest(fs.basename(path), names_of(folder), 3)
  if #near == 0 then
    return ("%s does not exist"):format(path)
  end
  return ("%s does not exist; nearest in that folder: %s"):format(path, table.concat(near, ", "))
end

--- Returns the sentence for a failed file operation.
---@param path string absolute path
---@param message string? what the system said
---@param code string? error code, such as "EACCES"
---@return string
function target.failure(path, message, code)
  if code == "ENOENT" and fs.stat(path) then
    -- A file is written beside and renamed; the folders of the kernel take no new names.
    local said = "%s cannot be replaced: its folder takes no new files; write to it with std.shell"
    return said:format(path)
  elseif code == "ENOENT" then
    return target.missing(path)
  elseif code == "EACCES" or code == "EPERM" then
    return ("%s: permission denied"):format(path)
  elseif code == "ENOTDIR" then
    return ("%s: a part of this path is a file, not a folder"):format(path)
  end
  message = message or "unknown failure"
  return message:sub(1, #path) == path and message or ("%s: %s"):format(path, message)
end

--- Returns a number of bytes as a person reads it.
---@param bytes integer
---@return string
function target.size(bytes)
  if bytes < 1024 then
    return ("%d bytes"):format(bytes)
  elseif bytes < 1024 * 1024 then
    return ("%.1f KB"):format(bytes / 1024)
  elseif bytes < 1024 * 1024 * 1024 then
    return ("%.1f MB"):format(bytes / (1024 * 1024))
  end
  return ("%.1f GB"):format(bytes / (1024 * 1024 * 1024))
end

return target
