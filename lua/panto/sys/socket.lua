-- Local sockets by name: lines of text between the processes of one user; and a free loopback port.

local task = require("panto.sys.task")
local uv = require("luv")

---@class panto.Connection
---@field closed boolean it has ended, on whichever side
---@field on_close fun()?
local Connection = {}
Connection.__index = Connection

local socket = {}

local LONGEST = 65536 -- bytes that nobody has read yet; more of them are no lines of panto's

local function wake(self)
  local resume = self.waiting
  self.waiting = nil
  if resume then
    resume()
  end
end

local function new_connection(pipe)
  local self = setmetatable({ pipe = pipe, text = "", closed = false }, Connection)
  pipe:read_start(function(_, data)
    if data and #self.text + #data <= LONGEST then
      self.text = self.text .. data
      wake(self)
    else
      self:close()
    end
  end)
  return self
end

--- Waits for the next line; nil when the connection has ended before one. It ends, too, when more
--- than 64 kB come that nobody reads.
---@return string? line without its end
function Connection:read_line()
  while true do
    local line, rest = self.text:match("^(.-)\n(.*)$")
    if line then
      self.text = rest
      return line
    elseif self.closed then
      return nil
    end
    task.wait(function(resume)
      self.waiting = resume
      return function()
        self.waiting = nil
      end
    end)
  end
end

--- Sends a line, without waiting for it to arrive.
---@param line string
function Connection:write_line(line)
  if not self.closed then
    self.pipe:write(line .. "\n")
  end
end

--- Has the loop end although this connection is open.
function Connection:unref()
  self.pipe:unref()
end

--- Ends the connection; safe to call again.
function Connection:close()
  if self.closed then
    return
  end
  self.closed = true
  self.pipe:close()
  wake(self)
  if self.on_close then
    self.on_close()
  end
end

--- Listens under the name of a file that does not exist yet; the function that it returns ends that.
---@param name string at most some 100 bytes
---@param on_connection fun(connection: panto.Connection)
---@return fun()? close
---@return string? message
function socket.listen(name, on_connection)
  local server = assert(uv.new_pipe(false))
  local ok, message = server:bind(name)
  if ok then
    ok, message = server:listen(64, function()
      local pipe = assert(uv.new_pipe(false))
      server:accept(pipe)
      on_connection(new_connection(pipe))
    end)
  end
  if not ok then
    server:close()
    return nil, ("%s: %s"):format(name, tostring(message))
  end
  return function()
    server:close()
  end
end

--- Connects to who listens under a name, in a task; a cancelled one leaves no connection.
---@param name string
---@return panto.Connection?
---@return string? message
function socket.connect(name)
  local pipe = assert(uv.new_pipe(false))
  local function close()
    if not pipe:is_closing() then
      pipe:close()
    end
  end
  local message = task.wait(function(resume)
    pipe:connect(name, function(problem)
      resume(problem or false)
    end)
    return close
  end)
  if message then
    close()
    return nil, ("%s: %s"):format(name, tostring(message))
  end
  return new_connection(pipe)
end

--- Makes a folder that only this user can enter, with a name short enough for a socket's.
---@return string? folder
---@return string? message
function socket.new_folder()
  local place = os.getenv("XDG_RUNTIME_DIR") or "/tmp"
  place = #place < 60 and uv.fs_access(place, "W") and place or "/tmp"
  local folder, message = uv.fs_mkdtemp(place .. "/panto-XXXXXX")
  return folder, message
end

--- Returns a port of the loopback interface that nobody listens on.
---@return integer
function socket.free_port()
  local server = assert(uv.new_tcp())
  assert(server:bind("127.0.0.1", 0))
  local port = server:getsockname().port
  server:close()
  return port
end

--- Tells whether somebody listens on a port of the loopback interface.
---@param port integer
---@return boolean
function socket.is_taken(port)
  local server = assert(uv.new_tcp())
  local is_free = server:bind("127.0.0.1", port) and server:listen(1, function() end)
  server:close()
  return not is_free
end

return socket
