-- Bytes into a file: whole beside it and renamed over it, or into what is there already.

local path = require("panto.sys.path")
local random = require("panto.sys.random")
local uv = require("luv")

local fs_write = {}

local PIECE_SIZE = 1024 * 1024

---@alias panto.sys.Content string|fun(put: fun(piece: string)) a function puts the bytes piece by piece

--- Writes all bytes at a descriptor's place.
---@param fd integer
---@param bytes string
---@return true?
---@return string? message what the system says, without the name
---@return string? code
function fs_write.pieces(fd, bytes)
  local at = 1
  while at <= #bytes do
    local piece = at == 1 and #bytes <= PIECE_SIZE and bytes or bytes:sub(at, at + PIECE_SIZE - 1)
    local written, message, code = uv.fs_write(fd, piece, -1)
    if not written then
      return nil, message, code
    end
    at = at + written
  end
  return true
end

local function write_content(fd, content)
  if type(content) == "string" then
    return fs_write.pieces(fd, content)
  end
  local pieces, size, ok, message, code = {}, 0, true, nil, nil
  local function flush()
    if ok then
      ok, message, code = fs_write.pieces(fd, table.concat(pieces))
    end
    pieces, size = {}, 0
  end
  content(function(piece)
    pieces[#pieces + 1], size = piece, size + #piece
    if size >= PIECE_SIZE then
      flush()
    end
  end)
  flush()
  return ok, message, code
end

-- Closes a descriptor at the end of a block, whatever ends it, and calls a function then.
local function closing(fd, after)
  return setmetatable({}, {
    __close = function()
      uv.fs_close(fd)
      if after then
        after()
      end
    end,
  })
end

-- A name is short, whatever the target's is: that one may be as long as names can be.
local function name_beside(target)
  local mark = random.bytes(6):gsub(".", function(c)
    return ("%02x"):format(c:byte())
  end)
  return path.join(path.dirname(target), ".panto-" .. mark)
end

--- Writes a file beside another, synced, and renames it over that one.
---@param target string
---@param content panto.sys.Content
---@param mode integer
---@return true?
---@return string? message what the system says, without the name
---@return string? code
function fs_write.beside(target, content, mode)
  local beside = name_beside(target)
  local fd, message, code = uv.fs_open(beside, "wx", mode)
  if not fd then
    return nil, message, code
  end
  local ok
  local _ <close> = closing(fd, function()
    if not ok then
      uv.fs_unlink(beside)
    end
  end)
  ok, message, code = write_content(fd, content)
  if ok then
    uv.fs_fchmod(fd, mode)
    ok, message, code = uv.fs_fsync(fd)
  end
  if ok then
    ok, message, code = uv.fs_rename(beside, target)
  end
  return ok, message, code
end

--- Writes into a device or a pipe, in whose place nothing is to stand.
---@param target string
---@param content panto.sys.Content
---@return true?
---@return string? message what the system says, without the name
---@return string? code
function fs_write.into(target, content)
  local fd, message, code = uv.fs_open(target, "w", 0)
  if not fd then
    return nil, message, code
  end
  local _ <close> = closing(fd)
  return write_content(fd, content)
end

return fs_write
