-- Turns a terminal's answers into the mode switches panto needs, and knows how to undo them all.
local modes = {}

local Modes = {}
Modes.__index = Modes

local ENTER = "\27[?2004h\27[?1004h"
local ASK_BACKGROUND = "\27]11;?\27\\"
local ASK_KITTY, ASK_DEVICE = "\27[?u", "\27[c"
local PUSH_KITTY, POP_KITTY = "\27[>5u", "\27[<u"
local SET_OTHER_KEYS, RESET_OTHER_KEYS = "\27[>4;2m", "\27[>4;0m"
local PUSH_TITLE, POP_TITLE = "\27[22;2t", "\27[23;2t"
local BUSY, IDLE = "\27]9;4;3\27\\", "\27]9;4;0\27\\"
-- What follows is not to be drawn again by anybody: it ends the mark of the live part.
local END_MARK = "\27]133;C\27\\"
local LEAVE = "\27[?2026l\27[?7h\27[0m\27[?1004l\27[?2004l\27[?25h"

---@class panto.tui.ModesOptions what the terminal is known to take
---@field has_title boolean?
---@field has_progress boolean?
---@field has_marks boolean?
---@field graphics panto.tui.Graphics? learns of images from the answers

---@class panto.tui.Modes
---@field has_kitty boolean the terminal answered the Kitty query
---@field has_title boolean
---@field has_progress boolean
---@field has_marks boolean the screen marks its live part
---@field keyboard "kitty"|"other_keys"|nil the protocol that is switched on

--- Makes the mode keeper of one terminal.
---@param options panto.tui.ModesOptions?
---@return panto.tui.Modes
function modes.new(options)
  options = options or {}
  return setmetatable({
    has_kitty = false,
    keyboard = nil,
    has_title = options.has_title or false,
    has_progress = options.has_progress or false,
    has_marks = options.has_marks or false,
    graphics = options.graphics,
  }, Modes)
end

local TITLED =
  " xterm tmux screen kitty foot alacritty rxvt wezterm ghostty st konsole vte contour iterm2 "

--- Tells whether a terminal takes a title (OSC 2) and gives the former one back.
---@param get fun(name: string): string? looks an environment variable up
---@return boolean
function modes.knows_title(get)
  local term = (get("TERM") or ""):match("^[^-]*")
  return term ~= "" and TITLED:find(" " .. term .. " ", 1, true) ~= nil
end

--- Tells whether a terminal shows progress (OSC 9;4); others would show it as a message.
---@param get fun(name: string): string? looks an environment variable up
---@return boolean
function modes.knows_progress(get)
  return (get("TMUX") or "") == ""
    and (
      (get("WT_SESSION") or "") ~= ""
      or get("ConEmuANSI") == "ON"
      or get("TERM_PROGRAM") == "ghostty"
      or (tonumber(get("VTE_VERSION")) or 0) >= 7900
    )
end

--- Returns the bytes that set the window's title, none where it is not known to be taken.
---@param text string without control characters
---@return string bytes
function Modes:title(text)
  return self.has_title and "\27]2;" .. text .. "\27\\" or ""
end

--- Returns the bytes that show or end the mark of a running turn, none where it is not known.
---@param is_busy boolean
---@return string bytes
function Modes:progress(is_busy)
  return self.has_progress and (is_busy and BUSY or IDLE) or ""
end

--- Returns the bytes that switch paste and focus reports on and ask for the background colour,
--- the Kitty protocol, images and, last, the device attributes whose answer ends the asking.
---@return string bytes
function Modes:start()
  self.has_kitty, self.keyboard = false, nil
  local title = self.has_title and PUSH_TITLE or ""
  local images = self.graphics and self.graphics:ask() or ""
  return ENTER .. title .. ASK_BACKGROUND .. ASK_KITTY .. images .. ASK_DEVICE
end

local function reply_of_keys(self, event)
  if event.name == "kitty_flags" then
    self.has_kitty = true
  elseif event.name == "da1" and not self.keyboard then
    self.keyboard = self.has_kitty and "kitty" or "other_keys"
    return self.has_kitty and PUSH_KITTY or SET_OTHER_KEYS
  end
  return nil
end

--- Takes a reply event and returns the bytes to write now, nil when there are none.
---@param event table
---@return string? bytes
function Modes:reply(event)
  local bytes = reply_of_keys(self, event)
  local more = self.graphics and self.graphics:reply(event)
  return more and (bytes or "") .. more or bytes
end

--- Returns the bytes that undo everything that is on now. They may be sent at any time, once;
--- whoever keeps them for a crash takes them anew after `reply` returned bytes.
---@return string bytes
function Modes:stop()
  local keyboard = ""
  if self.keyboard == "kitty" then
    keyboard = POP_KITTY
  elseif self.keyboard then
    keyboard = RESET_OTHER_KEYS
  end
  local title = self.has_title and POP_TITLE or ""
  local mark = self.has_marks and END_MARK or ""
  return keyboard .. LEAVE .. self:progress(false) .. title .. mark
end

return modes
