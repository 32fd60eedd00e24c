-- Mends the standard library of lupa's Lua: io.popen exists, os.execute answers as in lua 5.4,
-- os.exit flushes and really exits, os.setlocale cannot change how numbers are written.

local shims = {}

---@param status integer a raw wait status
---@return true|nil, string, integer
local function outcome(status)
  local signal = status & 0x7f
  if signal ~= 0 then
    return nil, "signal", signal
  end
  local code = status >> 8
  if code == 0 then
    return true, "exit", 0
  end
  return nil, "exit", code
end

--- Raises the library's message for a wrong argument of a function that stands in for its own.
---@param position integer
---@param name string the function's full name, for a call that gives it none
---@param problem string
local function refuse(position, name, problem)
  local called = debug.getinfo(2, "n").name or name
  error(("bad argument #%d to '%s' (%s)"):format(position, called, problem), 3)
end

local function flush()
  io.stdout:flush()
  io.stderr:flush()
end

--- Makes files know that they are pipes: closing one waits for its command.
---@param host table
---@param pipes table<file*, integer> the popen number of each open pipe
local function mend_close(host, pipes)
  local class = getmetatable(io.stdout)
  local close, collect = class.__index.close, class.__gc
  local function finish(file, ending)
    local pipe = pipes[file]
    if not pipe then
      return ending(file)
    end
    pipes[file] = nil
    ending(file)
    return outcome(host.popen_wait(pipe))
  end
  class.__index.close = function(...)
    local kind = io.type((...))
    if kind == "file" then
      return finish((...), close)
    elseif kind then
      error("attempt to use a closed file", 2)
    end
    local found = select("#", ...) == 0 and "no value" or type((...))
    refuse(1, "close", ("FILE* expected, got %s"):format(found))
  end
  class.__gc = function(file)
    finish(file, collect)
  end
  class.__close = class.__gc
  io.close = function(...)
    if select("#", ...) == 0 then
      return class.__index.close(io.output())
    end
    return class.__index.close(...)
  end
end

---@param host table
local function mend_io(host)
  local pipes = setmetatable({}, { __mode = "k" })
  mend_close(host, pipes)
  io.popen = function(command, mode)
    if type(command) ~= "string" and type(command) ~= "number" then
      local found = command == nil and "no value" or type(command)
      refuse(1, "io.popen", ("string expected, got %s"):format(found))
    end
    mode = mode or "r"
    if mode ~= "r" and mode ~= "w" then
      refuse(2, "io.popen", "invalid mode")
    end
    flush()
    local pipe, fd = host.popen_start(tostring(command), mode)
    if not pipe then
      return nil, fd
    end
    local file, message, code = io.open("/dev/fd/" .. fd, mode)
    host.popen_opened(pipe)
    if not file then
      host.popen_wait(pipe)
      return nil, message, code
    end
    pipes[file] = pipe
    return file
  end
end

--- Tells whether the state may be closed: luv's running work would be waited for, or abort the process.
---@return boolean
function shims.is_idle()
  local luv = package.loaded.luv
  return luv == nil or not luv.loop_alive()
end

---@param host table
local function mend_os(host)
  local setlocale, exit = os.setlocale, os.exit
  os.execute = function(command)
    if command == nil then
      return true
    end
    flush()
    return outcome(host.system(tostring(command)))
  end
  os.exit = function(code, close)
    if code == nil or code == true then
      code = 0
    elseif code == false then
      code = 1
    end
    if math.tointeger(code) == nil then
      local found = ("number expected, got %s"):format(type(code))
      found = tonumber(code) and "number has no integer representation" or found
      refuse(1, "os.exit", found)
    end
    if close and shims.is_idle() then
      host.term_restore()
      flush()
      exit(math.tointeger(code), true)
    end
    host.exit(math.tointeger(code))
  end
  os.setlocale = function(locale, category)
    category = category or "all"
    local numbers = category == "all" or category == "numeric"
    if numbers and locale ~= nil and locale ~= "C" and locale ~= "POSIX" then
      return nil
    end
    return setlocale(locale, category)
  end
end

--- Installs the mends into the standard library tables.
---@param host table
function shims.install(host)
  mend_io(host)
  mend_os(host)
end

return shims
