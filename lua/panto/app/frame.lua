-- Says when to draw: at once for a key, else at most 30 times a second, once for all that changed;
-- not while the window's size still changes.

local clock = require("panto.sys.clock")
local task = require("panto.sys.task")

local INTERVAL_MS = 1000 / 30

---@class panto.Frame
---@field release panto.Task? waits for the end of a hold
local Frame = {}
Frame.__index = Frame

local frame = {}

--- Makes the clock of a screen; `draw` paints it, or only what keys change of it.
---@param draw fun(is_echo: boolean?)
---@return panto.Frame
function frame.new(draw)
  return setmetatable({ draw = draw, last_ms = 0, dirty = false }, Frame)
end

--- Draws now, unless it is held.
function Frame:now()
  self.dirty = self.release ~= nil
  if self.dirty then
    return
  end
  self.last_ms = clock.mono_ms()
  self.draw()
end

--- Draws at once what a key has changed; all else waits for its frame, so that keys outrank it.
function Frame:echo()
  if not self.release then
    self.last_ms = clock.mono_ms()
    self.draw(true)
  end
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

--- Draws nothing until so many ms have gone by without another call; then calls a function, or draws.
---@param ms number
---@param settled fun()?
function Frame:hold(ms, settled)
  self.held_until_ms, self.settled = clock.mono_ms() + ms, settled
  self.release = self.release
    or task.run(function()
      while self.held_until_ms > clock.mono_ms() do
        task.sleep(self.held_until_ms - clock.mono_ms())
      end
      local after = self.settled or self.now
      self.release = nil
      after(self)
    end)
end

--- Ends a hold before its time, and draws.
function Frame:free()
  if self.release then
    task.cancel(self.release)
    self.release = nil
  end
  self:now()
end

return frame
