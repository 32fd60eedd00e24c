-- Files: whole reads, atomic writes, appending, ranges, folders. A failure is nil, message, code ("ENOENT").

local fs_read = require("panto.sys.fs_read")
local fs_write = require("panto.sys.fs_write")
local lock = require("panto.sys.lock")
local path = require("panto.sys.path")
local uv = require("luv")

---@class panto.Stat
---@field type "file"|"directory"|"link"|string
---@field size integer bytes
---@field mtime number seconds since 1970, with a fraction
---@field mode integer permission bits

local fs = {
  join = path.join,
  dirname = path.dirname,
  basename = path.basename,
  home = path.home,
  expand = path.expand,
  lock = lock.open,
  stamp = fs_read.stamp,
  stamps = fs_read.stamps,
}

local WORDS = {
  ENOENT = "no such file or directory",
  EACCES = "permission denied",
  EISDIR = "is a directory",
  ENOTDIR = "a part of the path is not a directory",
  ENOSPC = "no space left on the device",
  EROFS = "read-only file system",
  ELOOP = "too many symbolic links",
  ENAMETOOLONG = "name too long",
}

local function failure(name, message, code)
  return nil, ("%s: %s"):format(name, WORDS[code] or message), code
end

-- The system would end a name at a NUL byte, and another file would be meant.
local function check_name(name)
  if name:find("\0", 1, true) then
    return nil, "a NUL byte in the name", "EINVAL"
  end
  return true
end

--- Reads `length` bytes from byte `offset` (0-based); fewer at the end of the file.
---@param name string
---@param offset integer
---@param length integer
---@return string? bytes
---@return string? message
---@return string? code
function fs.read_range(name, offset, length)
  local bytes, message, code = check_name(name)
  if bytes then
    bytes, message, code = fs_read.range(name, offset, length)
  end
  if not bytes then
    return failure(name, message, code)
  end
  return bytes
end

--- Reads a whole file as bytes.
---@param name string
---@return string? bytes
---@return string? message
---@return string? code
function fs.read(name)
  return fs.read_range(name, 0, math.maxinteger)
end

local function done(name, ok, message, code)
  if ok then
    return true
  end
  return failure(name, message, code)
end

--- Writes a whole file: beside it, synced, renamed over it. An existing mode is kept, links are followed;
--- a device or a pipe is written into.
---@param name string
---@param bytes string|fun(put: fun(piece: string)) a function puts the bytes piece by piece
---@param options { parents: boolean?, mode: integer? }? parents: make missing folders; mode: of a new file
---@return true?
---@return string? message
---@return string? code
function fs.write(name, bytes, options)
  options = options or {}
  local named, unnamed, no_name = check_name(name)
  if not named then
    return failure(name, unnamed, no_name)
  elseif options.parents then
    local made, message, code = fs.mkdir(path.dirname(name))
    if not made then
      return nil, message, code
    end
  end
  if name:find("^/dev/fd/") or name:find("^/proc/[^/]+/fd/") or name:find("^/dev/std[oe]") then
    return done(name, fs_write.into(name, bytes)) -- what a link there names is no file's name
  end
  local target, unreal, unreal_code = uv.fs_realpath(name)
  if unreal_code == "ELOOP" then
    return failure(name, unreal, unreal_code)
  end
  target = target or fs.link_target(name)
  local stat = uv.fs_stat(target)
  if stat and stat.type == "directory" then
    return failure(name, "", "EISDIR")
  elseif stat and stat.type ~= "file" then
    return done(target, fs_write.into(target, bytes))
  end
  local mode = stat and stat.mode & 4095 or options.mode or fs.default_mode()
  return done(target, fs_write.beside(target, bytes, mode))
end

--- Returns where a dangling symbolic link points, or the name itself.
---@param name string
---@return string
function fs.link_target(name)
  local target = uv.fs_readlink(name)
  return target and path.expand(target, path.dirname(name)) or name
end

--- Returns the mode of a new file under the process's umask.
---@return integer
function fs.default_mode()
  local file = io.open("/proc/self/status", "r")
  local umask = file and file:read("a"):match("Umask:%s*(%d+)") or "0022"
  if file then
    file:close()
  end
  return 438 & ~tonumber(umask, 8)
end

---@class panto.AppendFile
local AppendFile = {}
AppendFile.__index = AppendFile

--- Opens a file for appending, made when it is missing.
---@param name string
---@param mode integer? permission bits of a new file (384 = 0600)
---@return panto.AppendFile?
---@return string? message
---@return string? code
function fs.append_open(name, mode)
  local fd, message, code = uv.fs_open(name, "a+", mode or 384)
  if not fd then
    return failure(name, message, code)
  end
  return setmetatable({ fd = fd, name = name }, AppendFile)
end

--- Appends bytes, whole or with a message.
---@param bytes string
---@return true?
---@return string? message
---@return string? code
function AppendFile:write(bytes)
  local ok, message, code = fs_write.pieces(self.fd, bytes)
  if not ok then
    return failure(self.name, message, code)
  end
  return true
end

--- Makes what was written durable (fsync).
---@return true?
---@return string? message
---@return string? code
function AppendFile:sync()
  local ok, message, code = uv.fs_fsync(self.fd)
  if not ok then
    return failure(self.name, message, code)
  end
  return true
end

--- Returns the file's size in bytes.
---@return integer
function AppendFile:size()
  return assert(uv.fs_fstat(self.fd)).size
end

--- Cuts the file to `size` bytes.
---@param size integer
---@return true?
---@return string? message
function AppendFile:truncate(size)
  local ok, message, code = uv.fs_ftruncate(self.fd, size)
  if not ok then
    return failure(self.name, message, code)
  end
  return true
end

--- Closes the file; safe to call again.
function AppendFile:close()
  if self.fd then
    uv.fs_close(self.fd)
    self.fd = nil
  end
end

--- Lists a folder, by name.
---@param name string
---@return { name: string, type: string }[]?
---@return string? message
---@return string? code
function fs.list(name)
  local scan, message, code = uv.fs_scandir(name)
  if not scan then
    return failure(name, message, code)
  end
  local names, kinds = {}, {}
  while true do
    local entry, kind = uv.fs_scandir_next(scan)
    if not entry then
      break
    end
    names[#names + 1], kinds[entry] = entry, kind
  end
  table.sort(names)
  local entries = {}
  for i, entry in ipairs(names) do
    entries[i] = { name = entry, type = kinds[entry] }
  end
  return entries
end

--- Lists the names of what a folder holds and is no folder, sorted.
---@param name string
---@return string[]?
---@return string? message
---@return string? code
function fs.file_names(name)
  local scan, message, code = uv.fs_scandir(name)
  if not scan then
    return failure(name, message, code)
  end
  local names, last, is_sorted = {}, "", true
  local entry, kind = uv.fs_scandir_next(scan)
  while entry do
    if kind ~= "directory" then
      names[#names + 1] = entry
      last, is_sorted = entry, is_sorted and last < entry
    end
    entry, kind = uv.fs_scandir_next(scan)
  end
  if not is_sorted then
    table.sort(names)
  end
  return names
end

--- Tells a file's type, size, time and mode; symbolic links are followed.
---@param name string
---@return panto.Stat?
---@return string? message
---@return string? code
function fs.stat(name)
  local stat, message, code = check_name(name)
  if stat then
    stat, message, code = uv.fs_stat(name)
  end
  if not stat then
    return failure(name, message, code)
  end
  return {
    type = stat.type,
    size = stat.size,
    mtime = stat.mtime.sec + stat.mtime.nsec / 1e9,
    mode = stat.mode & 4095,
  }
end

--- Makes a folder and its parents; an existing one is fine.
---@param name string
---@param mode integer? permission bits (493 = 0755)
---@return true?
---@return string? message
---@return string? code
function fs.mkdir(name, mode)
  local ok, message, code = uv.fs_mkdir(name, mode or 493)
  if ok then
    return true
  elseif code == "EEXIST" then
    local stat = uv.fs_stat(name)
    if stat and stat.type == "directory" then
      return true
    end
    return failure(name, "", "ENOTDIR")
  elseif code == "ENOENT" and path.dirname(name) ~= name then
    local made
    made, message, code = fs.mkdir(path.dirname(name), mode)
    if not made then
      return nil, message, code
    end
    return fs.mkdir(name, mode)
  end
  return failure(name, message, code)
end

--- Removes a file or an empty folder.
---@param name string
---@return true?
---@return string? message
---@return string? code
function fs.remove(name)
  local ok, message, code = uv.fs_unlink(name)
  if code == "EISDIR" or code == "EPERM" then
    ok, message, code = uv.fs_rmdir(name)
  end
  if not ok then
    return failure(name, message, code)
  end
  return true
end

--- Renames a file or folder.
---@param from string
---@param to string
---@return true?
---@return string? message
---@return string? code
function fs.rename(from, to)
  local ok, message, code = uv.fs_rename(from, to)
  if not ok then
    return failure(from, message, code)
  end
  return true
end

--- Resolves links, "." and ".." to the real path.
---@param name string
---@return string?
---@return string? message
---@return string? code
function fs.real(name)
  local real, message, code = uv.fs_realpath(name)
  if not real then
    return failure(name, message, code)
  end
  return real
end

--- Tells whether something of that name exists.
---@param name string
---@return boolean
function fs.exists(name)
  return uv.fs_stat(name) ~= nil
end

--- Returns the current folder; of one that was removed, the name under which it was entered.
---@return string
function fs.cwd()
  return uv.cwd() or os.getenv("PWD") or error("the current folder does not exist any more", 0)
end

return fs
