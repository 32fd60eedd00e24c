-- A working folder's path into the name of the folder that keeps its sessions, readable and unique.

local utf8x = require("panto.base.utf8x")

local folder = {}

local MAX_BYTES = 180

local function escape(byte)
  return ("%%%02X"):format(byte:byte())
end

-- FNV-1a, 64 bits: tells long paths apart that look alike once they are cut.
local function hash(text)
  local value = 0xcbf29ce484222325
  for i = 1, #text do
    value = (value ~ text:byte(i)) * 0x100000001b3
  end
  return ("%016x"):format(value)
end

--- Encodes a path as one file name: "/" becomes "+", what is special %XX; a long one ends in its
--- hash.
---@param cwd string
---@return string
function folder.encode(cwd)
  local special = utf8x.is_valid(cwd) and "[^%w._/\x80-\xff-]" or "[^%w._/-]"
  local name = cwd:gsub(special, escape):gsub("/", "+")
  if #name <= MAX_BYTES then
    return name
  end
  local head = utf8x.cut(name, MAX_BYTES - 17)
  return head .. "~" .. hash(cwd)
end

--- Returns the folder of a working folder's sessions.
---@param dir string the folder of all sessions
---@param cwd string
---@return string
function folder.path(dir, cwd)
  return dir:gsub("/+$", "") .. "/" .. folder.encode(cwd)
end

return folder
