-- Turns an output that is too long to keep into a private file in the temporary folder.
local uv = require("luv")

local spill = {}

---@class std.Spill
---@field path string? of the file, once it is open
---@field size integer bytes written
---@field problem string? why not all of it was written
local Spill = {}
Spill.__index = Spill

local MAX_SIZE = 4 * 1024 * 1024 * 1024
local MAX_AGE_S = 3 * 24 * 3600

--- Creates a spill; its file is made when it is opened.
---@param prefix string start of the file's name
---@return std.Spill
function spill.new(prefix)
  return setmetatable({ prefix = prefix, size = 0 }, Spill)
end

local function remove_old(folder)
  local scan = uv.fs_scandir(folder)
  local name = scan and uv.fs_scandir_next(scan)
  while name do
    local stat = uv.fs_lstat(folder .. "/" .. name)
    if stat and os.time() - stat.mtime.sec > MAX_AGE_S then
      uv.fs_unlink(folder .. "/" .. name)
    end
    name = uv.fs_scandir_next(scan)
  end
end

-- Another user may have made the folder first, to read or redirect what is written to it.
local function private_folder()
  local base = os.getenv("TMPDIR") or "/tmp"
  local folder = ("%s/panto-%d"):format(base:gsub("(.)/+$", "%1"), uv.getuid())
  uv.fs_mkdir(folder, 448)
  local stat = uv.fs_lstat(folder)
  if stat and stat.type == "directory" and stat.uid == uv.getuid() then
    uv.fs_chmod(folder, 448)
    remove_old(folder)
    return folder
  end
  return uv.fs_mkdtemp(folder .. "-XXXXXX")
end

--- Makes the file, readable by its owner only.
function Spill:open()
  local folder, message = private_folder()
  if not folder then
    self.problem = message
    return
  end
  local name = ("%s/%s-%d-%x.txt"):format(folder, self.prefix, uv.os_getpid(), uv.hrtime())
  local fd
  fd, message = uv.fs_open(name, "wx", 384)
  if not fd then
    self.problem = message
    return
  end
  self.fd, self.path = fd, name
end

--- Appends bytes; past the limit, or on a full disk, the rest is left out and `problem` says so.
---@param bytes string
function Spill:write(bytes)
  if self.problem or not self.fd then
    return
  end
  if self.size + #bytes > MAX_SIZE then
    self.problem = "only its first 4 GB were kept"
    return
  end
  local at = 1
  while at <= #bytes do
    local written, message = uv.fs_write(self.fd, at == 1 and bytes or bytes:sub(at), -1)
    if not written then
      self.problem = "it could not be kept whole: " .. message
      return
    end
    self.size = self.size + written
    at = at + written
  end
end

--- Closes the file.
function Spill:close()
  if self.fd then
    uv.fs_close(self.fd)
    self.fd = nil
  end
end

return spill
