-- Says when to draw: at once for a key, else at most 30 times a second, once for all that changed.

local clock = require("panto.sys.clock")
local task = require("panto.sys.task")

local INTERVAL_MS = 1000 / 30

---@class panto.Frame
local Frame = {}
Frame.__index = Frame

local frame = {}

--- Makes the clock of a screen; `draw` paints it.
---@param draw fun()
---@return panto.Frame
function frame.new(draw)
  return setmetatable({ draw = draw, last_ms = 0, dirty = false }, Frame)
end

--- Draws now.
function Frame:now()
  self.dirty = false
  self.last_ms = clock.mono_ms()
  self.draw()
end

--- Something changed: draws when the next frame is due.
function Frame:mark()
  if self.dirty then
    return
  end
  self.dirty = true
  task.run(function()
    task.sleep(math.max(0, INTERVAL_MS - (clock.mono_ms() - self.last_ms)))
    if self.dirty then
      self:now()
    end
  end)
end

return frame
