-- How far a download or a build is: a bar on a terminal, a line every tenth elsewhere; on stderr.

local clock = require("panto.sys.clock")
local env = require("panto.sys.env")

---@class panto.own_model.Progress
local Progress = {}
Progress.__index = Progress

local progress = {}

local BAR_COLUMNS, REDRAW_MS = 24, 100

--- Makes the teller.
---@return panto.own_model.Progress
function progress.new()
  return setmetatable({ is_terminal = env.is_terminal(2), drawn_ms = 0, tenth = -1 }, Progress)
end

--- Says a line; the bar, if there is one, is over.
---@param line string
function Progress:say(line)
  io.stderr:write(self.has_bar and "\r\27[K" or "", "panto: ", line, "\n")
  self.has_bar, self.tenth, self.drawn_ms = false, -1, 0
end

--- Shows a part of the whole.
---@param share number 0 to 1
---@param words string behind it
function Progress:show(share, words)
  share = math.max(0, math.min(1, share))
  if not self.is_terminal then
    local tenth = math.floor(share * 10)
    if tenth > self.tenth then
      self.tenth = tenth
      io.stderr:write(("panto: %3d %%  %s\n"):format(math.floor(share * 100), words))
    end
    return
  end
  local now = clock.mono_ms()
  if now - self.drawn_ms < REDRAW_MS and share < 1 then
    return
  end
  self.drawn_ms, self.has_bar = now, true
  local full = math.floor(share * BAR_COLUMNS)
  local bar = ("#"):rep(full) .. ("."):rep(BAR_COLUMNS - full)
  io.stderr:write(("\r\27[K[%s] %3d %%  %s"):format(bar, math.floor(share * 100), words))
  io.stderr:flush()
end

--- Takes the bar away.
function Progress:clear()
  if self.has_bar then
    io.stderr:write("\r\27[K")
  end
  self.has_bar, self.tenth, self.drawn_ms = false, -1, 0
end

return progress
