-- Turns chunks of any size and number into few small ones for the screen, skipping what is too fast.
local panto = require("panto")

local task, text = panto.task, panto.text

local live = {}
local Live = {}
Live.__index = Live

local PAUSE_MS = 50
local MAX_BYTES = 8192

--- Creates a throttle in front of a progress function.
---@param progress fun(text: string)?
---@return table live
function live.new(progress)
  return setmetatable({ progress = progress or function() end, pending = "" }, Live)
end

--- Takes the next chunk; it is passed on within 50 ms.
---@param chunk string
function Live:add(chunk)
  local pending = self.pending .. chunk:sub(-MAX_BYTES)
  if #pending > MAX_BYTES then
    pending = pending:sub(-MAX_BYTES)
    pending = pending:sub((pending:find("\n", 1, true) or 0) + 1)
  end
  self.pending = pending
  if not self.waiting then
    self.waiting = task.run(function()
      task.sleep(PAUSE_MS)
      self.waiting = nil
      self:flush()
    end)
  end
end

--- Passes on what is pending, but for a last character that has not arrived whole.
function Live:flush()
  local ready = self.pending:sub(1, #self.pending - text.incomplete_tail(self.pending))
  self.pending = self.pending:sub(#ready + 1)
  if ready ~= "" then
    self.progress(ready)
  end
end

--- Passes on the rest and ends.
function Live:close()
  if self.waiting then
    task.cancel(self.waiting)
    self.waiting = nil
  end
  if self.pending ~= "" then
    self.progress(self.pending)
    self.pending = ""
  end
end

return live
