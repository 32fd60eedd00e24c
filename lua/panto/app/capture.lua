-- While the screen is panto's, what Lua code prints goes into the transcript instead of over it.

local log_file = require("panto.app.log_file")
local task = require("panto.sys.task")

local capture = {}

local function joined(separator, ...)
  local pieces = {}
  for i = 1, select("#", ...) do
    pieces[i] = tostring((select(i, ...)))
  end
  return table.concat(pieces, separator)
end

-- What is written in pieces is shown in one; what showing it prints goes to the log, not in a ring.
local function buffer(show)
  local pieces, is_showing, is_due = {}, false, false
  local function flush()
    is_due = false
    local text = table.concat(pieces)
    pieces = {}
    if text ~= "" then
      is_showing = true
      show(text)
      is_showing = false
    end
  end
  return function(text)
    if is_showing then
      log_file.write(text)
      return
    end
    pieces[#pieces + 1] = text
    if not is_due then
      is_due = true
      task.run(function()
        task.sleep(0)
        flush()
      end)
    end
  end, flush
end

--- Sends io.write, print and the writes of io.stdout to `show`; returns what puts them back.
---@param show fun(text: string)
---@param options { stderr: boolean? }? io.stderr as well
---@return fun() restore
function capture.start(show, options)
  local methods = getmetatable(io.stdout).__index
  local write, echo, method = io.write, print, methods.write
  local put, flush = buffer(show)
  local has_stderr = options ~= nil and options.stderr == true
  io.write = function(...)
    if io.output() ~= io.stdout then -- a script's own file
      return write(...)
    end
    put(joined("", ...))
    return io.stdout
  end
  print = function(...) -- luacheck: ignore 121
    put(joined("\t", ...) .. "\n")
  end
  methods.write = function(file, ...)
    if file == io.stdout or (has_stderr and file == io.stderr) then
      put(joined("", ...))
      return file
    end
    return method(file, ...)
  end
  return function()
    flush()
    io.write, print, methods.write = write, echo, method -- luacheck: ignore 121
  end
end

return capture
