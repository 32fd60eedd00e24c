-- Standard input as chunks that a task waits for; a file's come at once, a pipe's as they are written.

local task = require("panto.sys.task")
local uv = require("luv")

local stdin = {}

local FILE_CHUNK_BYTES = 65536

--- Tells what standard input is: "tty", "pipe", "file" (also /dev/null), "tcp" or "unknown".
---@return string
function stdin.kind()
  return uv.guess_handle(0)
end

local function open_stream(kind)
  local stream = kind == "tcp" and uv.new_tcp() or uv.new_pipe(false)
  if stream:open(0) then
    return stream
  end
  stream:close()
end

local function read_file()
  return function()
    return io.stdin:read(FILE_CHUNK_BYTES)
  end
end

-- One chunk, or nil at the end; the stream is read only while somebody waits for it.
local function read_once(stream)
  return task.wait(function(resume)
    stream:read_start(function(_, data)
      stream:read_stop()
      resume(data)
    end)
    return function()
      stream:read_stop()
    end
  end)
end

--- Returns a function that gives the next chunk and nil at the end; for pipes only in a task.
---@return fun(): string?
function stdin.chunks()
  local kind = stdin.kind()
  if kind == "file" then
    return read_file()
  end
  local stream = (kind == "pipe" or kind == "tcp") and open_stream(kind)
  return function()
    if not stream then
      return nil
    end
    local data = read_once(stream)
    if not data then
      stream:close()
      stream = nil
    end
    return data
  end
end

--- Reads all of it.
---@return string
function stdin.read_all()
  local pieces = {}
  for chunk in stdin.chunks() do
    pieces[#pieces + 1] = chunk
  end
  return table.concat(pieces)
end

return stdin
