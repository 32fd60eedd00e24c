-- Turns text from models, tools and files into text that is safe to draw, whole or in pieces.
local ansi = require("panto.base.ansi")
local utf8x = require("panto.base.utf8x")

local plain = {}

local Stream = {}
Stream.__index = Stream

local TAB = "    "
local MAX_HELD = 256

--- Strips control characters and escape sequences, mends broken UTF-8 and expands tabs.
---@param s string
---@return string
function plain.clean(s)
  if not s:find("[^\n -~]") then
    return s
  end
  return (ansi.clean(s):gsub("\t", TAB))
end

--- Shows control characters instead of obeying or dropping them: for what a person has to judge.
---@param s string
---@return string
function plain.reveal(s)
  if not s:find("[^\n -~]") then
    return s
  end
  return (ansi.reveal((s:gsub("\r\n", "\n"))):gsub("\t", TAB))
end

-- Whether it has colours and no other control, as nearly every styled line.
local function is_styled_only(s)
  return not s:gsub("\27%[[%d;:]*m", ""):find("%c")
end

-- Marks what may stay, drops the other sequences, and sets the marked ones back.
local function keep_styles(s)
  s = s:gsub("[\1\2]", ""):gsub("\27(%[[%d;:]*m)", "\1%1")
  local opened
  s, opened = s:gsub("\27(%]8;[ -~]-)\27\\", "\1%1\2")
  s = s:gsub("\27%[[0-?]*[ -/]*[@-~]", ""):gsub("\27%][^\7\27]*[\7\27]?\\?", "")
  s = s:gsub("\t", TAB):gsub("[%z\3-\31\127]", "")
  if opened > 0 and not s:find("\1]8;;\2[^\1\2]*$") then
    s = s .. "\1]8;;\2"
  end
  return (s:gsub("\1", "\27"):gsub("\2", "\27\\"))
end

--- Makes one rendered line safe: colours and links stay, all that could move the cursor goes.
---@param line string
---@return string
function plain.line(line)
  if line:find("%c") and not is_styled_only(line) then
    line = keep_styles(line)
  end
  if line:find("\194[\128-\159]") then
    line = line:gsub("\194[\128-\159]", "")
  end
  return line
end

--- Makes a cleaner for text that comes in pieces cut anywhere.
---@return panto.tui.PlainStream
function plain.stream()
  return setmetatable({ held = "" }, Stream)
end

---@class panto.tui.PlainStream
---@field held string the start of a sequence or character that is not whole yet

local function is_whole(s, at)
  return s:find("^\27%[[0-?]*[ -/]*[@-~]", at)
    or s:find("^\27[^%[%]PX^_]", at)
    or s:find("^\27[%]PX^_][^\7]*\7", at)
end

-- The first byte of an unfinished end of s, one past its end when there is none.
local function unfinished(s)
  local at = s:find("\27[^\27]*$")
  if at and #s - at < MAX_HELD and not is_whole(s, at) then
    return at
  end
  if s:byte(-1) == 13 then
    return #s
  end
  return #s + 1 - utf8x.incomplete_tail(s)
end

-- A carriage return ends a line here and a backspace does nothing: neither may hide what stands
-- before it, which may have been handed on.
local function clean_lines(s)
  if s:find("[\r\b]") then
    s = s:gsub("\r\n?", "\n"):gsub("\b", "")
  end
  return plain.clean(s)
end

--- Takes a piece and returns the clean text that is certain now.
---@param piece string
---@return string
function Stream:feed(piece)
  local s = self.held .. piece
  if not s:find("[^\n -~]") then
    self.held = ""
    return s
  end
  local at = unfinished(s)
  self.held = s:sub(at)
  return clean_lines(s:sub(1, at - 1))
end

--- Returns what was still held back.
---@return string
function Stream:finish()
  local s = self.held
  self.held = ""
  return clean_lines(s)
end

return plain
