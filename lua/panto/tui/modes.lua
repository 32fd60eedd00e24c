-- Turns a terminal's answers into the mode switches panto needs, and knows how to undo them all.
local modes = {}

local Modes = {}
Modes.__index = Modes

local ENTER = "\27[?2004h\27[?1004h"
local ASK_BACKGROUND = "\27]11;?\27\\"
local ASK_KITTY, ASK_DEVICE = "\27[?u", "\27[c"
local PUSH_KITTY, POP_KITTY = "\27[>5u", "\27[<u"
local SET_OTHER_KEYS, RESET_OTHER_KEYS = "\27[>4;2m", "\27[>4;0m"
local LEAVE = "\27[?2026l\27[?7h\27[0m\27[?1004l\27[?2004l\27[?25h"

---@class panto.tui.Modes
---@field has_kitty boolean the terminal answered the Kitty query
---@field keyboard "kitty"|"other_keys"|nil the protocol that is switched on

--- Makes the mode keeper of one terminal.
---@return panto.tui.Modes
function modes.new()
  return setmetatable({ has_kitty = false, keyboard = nil }, Modes)
end

--- Returns the bytes that switch paste and focus reports on and ask for the background colour,
--- the Kitty protocol and, last, the device attributes whose answer ends the asking.
---@return string bytes
function Modes:start()
  self.has_kitty, self.keyboard = false, nil
  return ENTER .. ASK_BACKGROUND .. ASK_KITTY .. ASK_DEVICE
end

--- Takes a reply event and returns the bytes to write now, nil when there are none.
---@param event table
---@return string? bytes
function Modes:reply(event)
  if event.name == "kitty_flags" then
    self.has_kitty = true
  elseif event.name == "da1" and not self.keyboard then
    self.keyboard = self.has_kitty and "kitty" or "other_keys"
    return self.has_kitty and PUSH_KITTY or SET_OTHER_KEYS
  end
  return nil
end

--- Returns the bytes that undo everything that is on now. They may be sent at any time, even
--- twice; whoever keeps them for a crash takes them anew after `reply` returned bytes.
---@return string bytes
function Modes:stop()
  local keyboard = ""
  if self.keyboard == "kitty" then
    keyboard = POP_KITTY
  elseif self.keyboard then
    keyboard = RESET_OTHER_KEYS
  end
  return keyboard .. LEAVE
end

return modes
