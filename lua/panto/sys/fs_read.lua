-- Bytes out of a file by its name; what is no file never makes the reader wait or read for ever.

local host = require("panto.host")
local uv = require("luv")

local fs_read = {}

local PIECE_SIZE = 1024 * 1024
local DEVICE_SIZE = 16 * 1024 * 1024
local FLAGS = uv.constants.O_RDONLY | uv.constants.O_NONBLOCK

local function read_pieces(fd, offset, length)
  local pieces, left = {}, length
  while left > 0 do
    local piece, message, code = uv.fs_read(fd, math.min(PIECE_SIZE, left), offset)
    if not piece then
      return nil, message, code
    elseif piece == "" then
      break
    end
    pieces[#pieces + 1] = piece
    left = left - #piece
    offset = offset and offset + #piece
  end
  return table.concat(pieces)
end

-- A FIFO would keep the reader waiting, /dev/zero has no end; /dev/null is as good as a file.
local function read_open(fd, offset, length)
  local stat = uv.fs_fstat(fd)
  local kind = stat and stat.type
  if kind == "fifo" or kind == "socket" then
    return nil, ("is a %s, not a file"):format(kind), "EINVAL"
  elseif kind ~= "char" then
    return read_pieces(fd, offset, length)
  end
  local bytes, message, code = read_pieces(fd, offset, math.min(length, DEVICE_SIZE))
  if bytes and #bytes == DEVICE_SIZE then
    return nil, "is a device without an end, not a file", "EINVAL"
  end
  return bytes, message, code
end

--- Reads `length` bytes from byte `offset` (0-based); fewer at the end of the file.
---@param name string
---@param offset integer
---@param length integer
---@return string? bytes
---@return string? message what the system says, without the name
---@return string? code
function fs_read.range(name, offset, length)
  local fd, message, code = uv.fs_open(name, FLAGS, 0)
  if not fd then
    return nil, message, code
  end
  local bytes
  bytes, message, code = read_open(fd, offset, length)
  uv.fs_close(fd)
  return bytes, message, code
end

--- Tells a file's time and size in one word: "nanoseconds:bytes".
---@param name string
---@return string? stamp nil when there is no such file
function fs_read.stamp(name)
  local stat = uv.fs_stat(name)
  return stat and ("%d%09d:%d"):format(stat.mtime.sec, stat.mtime.nsec, stat.size)
end

--- Tells time and size of each of many files as `stamp` does, in one call.
---@param names string[]
---@return string[] stamps empty where there is no such file
function fs_read.stamps(names)
  local list = {}
  if names[1] then
    for stamp in (host.file_stamps(table.concat(names, "\0")) .. "\n"):gmatch("([^\n]*)\n") do
      list[#list + 1] = stamp
    end
  end
  return list
end

return fs_read
