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
  end,
    flush
end

---@class panto.Capture
---@field put fun(text: string)? while it is open
---@field has_stderr boolean
local Capture = {}
Capture.__index = Capture

--- Stands before io.write, print and the writes of files, and changes nothing before `open`: what
--- extensions keep of these functions while they load can be captured too.
---@return panto.Capture
function capture.install()
  local methods = getmetatable(io.stdout).__index
  local write, echo, method = io.write, print, methods.write
  local self = setmetatable({ has_stderr = false }, Capture)
  io.write = function(...)
    if not self.put or io.output() ~= io.stdout then -- a script's own file
      return write(...)
    end
    self.put(joined("", ...))
    return io.stdout
  end
  print = function(...) -- luacheck: ignore 121
    if not self.put then
      return echo(...)
    end
    self.put(joined("\t", ...) .. "\n")
  end
  methods.write = function(file, ...)
    if self.put and (file == io.stdout or (self.has_stderr and file == io.stderr)) then
      self.put(joined("", ...))
      return file
    end
    return method(file, ...)
  end
  function self.remove()
    io.write, print, methods.write = write, echo, method -- luacheck: ignore 121
  end
  return self
end

--- Sends what is written from now on to `show`.
---@param show fun(text: string)
---@param options { stderr: boolean? }? io.stderr as well
function Capture:open(show, options)
  self.has_stderr = options ~= nil and options.stderr == true
  self.put, self.flush = buffer(show)
end

--- Shows what waits and lets all writes through again.
function Capture:close()
  self.flush()
  self.put = nil
end

--- Sends io.write, print and the writes of io.stdout to `show`; returns what puts them back.
---@param show fun(text: string)
---@param options { stderr: boolean? }? io.stderr as well
---@return fun() restore
function capture.start(show, options)
  local self = capture.install()
  self:open(show, options)
  return function()
    self:close()
    self.remove()
  end
end

return capture
