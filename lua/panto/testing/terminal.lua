-- A terminal that nobody sits at: its keys are what a spec presses.

local channel = require("panto.sys.channel")

---@class panto.FakeTerminal
---@field events panto.Channel
---@field cols integer
---@field rows integer
local FakeTerminal = {}
FakeTerminal.__index = FakeTerminal

local terminal = {}

--- Makes a terminal of a size.
---@param cols integer
---@param rows integer
---@return panto.FakeTerminal
function terminal.new(cols, rows)
  return setmetatable({ events = channel.new(), cols = cols, rows = rows }, FakeTerminal)
end

--- Tells whether the size has changed since the last time.
---@return boolean
function FakeTerminal:measure()
  local changed = self.is_resized == true
  self.is_resized = false
  return changed
end

--- Takes another size.
---@param cols integer
---@param rows integer
function FakeTerminal:resize(cols, rows)
  self.cols, self.rows, self.is_resized = cols, rows, true
  self.events:put({ type = "resize" })
end

--- Sends bytes as the keyboard does.
---@param bytes string
function FakeTerminal:send(bytes)
  self.events:put({ type = "input", data = bytes })
end

--- Drops what a real terminal would be told.
function FakeTerminal:write() end

FakeTerminal.on_restore, FakeTerminal.pause = FakeTerminal.write, FakeTerminal.write
FakeTerminal.resume = FakeTerminal.write

--- Ends the events.
function FakeTerminal:close()
  self.events:close()
end

return terminal
