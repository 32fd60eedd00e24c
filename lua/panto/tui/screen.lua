-- Turns finished lines and live lines into frames on the main screen of a terminal:
-- finished lines go up into the scrollback once, only the live ones are drawn again.
local frame = require("panto.tui.frame")
local kept_text = require("panto.tui.kept_text")
local plain = require("panto.tui.plain")
local reflow = require("panto.tui.reflow")
local text = require("panto.sys.text")

local screen = {}

local Screen = {}
Screen.__index = Screen

local SYNC, UNSYNC = "\27[?2026h", "\27[?2026l"
local NO_WRAP, WRAP = "\27[?7l", "\27[?7h"
-- "Here begins what will be drawn again", in kitty; it keeps it from being wrapped anew.
local MARK = "\r\27]133;A\27\\"
local HIDE, SHOW = "\27[?25l", "\27[?25h"

---@class panto.tui.ScreenOptions
---@field cols integer
---@field rows integer
---@field write fun(bytes: string)
---@field marks_live boolean? whether the live part is marked as what a shell draws again (kitty)
---@field reflow boolean? whether the terminal wraps old lines anew when resized (default true)
---@field images panto.tui.Images? what stands for images in the lines

---@class panto.tui.Cursor
---@field row integer line of the live part, from 1
---@field col integer column, from 1

---@class panto.tui.Screen
---@field cols integer
---@field rows integer
---@field shown string[] the live rows that stand on the screen now
---@field waiting string[] finished lines that no frame has written yet
---@field row integer the row of `shown` the cursor is in
---@field col integer
---@field padding integer blank rows above the live lines
---@field kept panto.tui.KeptText? what a resize has pushed into the scrollback too early
---@field stale panto.tui.Stale? what stood there before a resize
---@field before table? what the last frame has changed

--- Makes the screen; it writes nothing before the first `draw`.
---@param options panto.tui.ScreenOptions
---@return panto.tui.Screen
function screen.new(options)
  return setmetatable({
    cols = options.cols,
    rows = options.rows,
    write = options.write,
    reflow = options.reflow ~= false and not options.marks_live,
    marks_live = options.marks_live or false,
    images = options.images,
    shown = { "" },
    waiting = {},
    fitted = {},
    row = 1,
    col = 1,
    is_hidden = false,
    is_suspended = false,
    is_closed = false,
    padding = 0,
    text_rows = 0,
    stale = nil,
  }, Screen)
end

--- Tells whether a terminal wraps what is shown anew when its width changes; xterm cuts it off.
---@param get fun(name: string): string? looks an environment variable up
---@return boolean
function screen.reflows(get)
  local is_xterm = (get("XTERM_VERSION") or "") ~= "" and (get("TMUX") or "") == ""
  local term = get("TERM") or ""
  return not is_xterm and term ~= "linux" and not (get("STY") and term:find("^screen"))
end

--- Tells whether a terminal takes the mark of what is drawn again and clears that on a resize.
---@param get fun(name: string): string? looks an environment variable up
---@return boolean
function screen.clears_marked(get)
  return get("TERM") == "xterm-kitty" and (get("TMUX") or "") == ""
end

--- Tells how long no change of its size must have been told until a terminal's size can be trusted:
--- tmux takes a new size at once and tells it up to 250 ms later, for a moment even a wrong one.
---@param get fun(name: string): string? looks an environment variable up
---@return integer ms
function screen.settle_ms(get)
  return (get("TMUX") or "") ~= "" and 350 or 40
end

--- Takes finished lines; the next frame writes them above the live part, once and for good.
---@param lines string[]
function Screen:append(lines)
  table.move(lines, 1, #lines, #self.waiting + 1, self.waiting)
end

-- How many of the first lines are left out: those above the last rows that fit, but never the
-- cursor's row.
local function count_hidden(self, lines, cursor)
  local hidden = math.max(0, #lines - math.max(1, self.rows - 1))
  return cursor and math.max(0, math.min(hidden, cursor.row - 1)) or hidden
end

-- Live lines made safe and cut to the width; what the last frame already fitted is taken from it.
local function fit_live(self, lines, cursor)
  local fitted, result = {}, {}
  local hidden = count_hidden(self, lines, cursor)
  for index = hidden + 1, math.min(#lines, hidden + math.max(1, self.rows - 1)) do
    local raw = lines[index]
    local line = self.fitted[raw] or text.cut(plain.line(raw), self.cols)
    fitted[raw] = line
    result[#result + 1] = line
  end
  self.fitted = fitted
  if #result == 0 then
    result[1] = ""
  end
  return result, hidden
end

local function fit_waiting(self)
  local result = {}
  for _, raw in ipairs(self.waiting) do
    local drawing = self.images and self.images:take_drawing(raw)
    self.before = not drawing and self.before or nil
    local line = drawing or plain.line(raw)
    if drawing or #line <= self.cols or text.width(line) <= self.cols then
      result[#result + 1] = line
    else
      local rows = text.wrap(line, self.cols)
      for index, row in ipairs(rows) do
        rows[index] = text.cut(row, self.cols)
      end
      table.move(rows, 1, #rows, #result + 1, result)
    end
  end
  return result
end

local function same_lines(one, other)
  if #one ~= #other then
    return false
  end
  for index = 1, #one do
    if one[index] ~= other[index] then
      return false
    end
  end
  return true
end

local function what_stands(self)
  return {
    lines = self.shown,
    row = self.row,
    col = self.col,
    cols = self.cols,
    text_rows = math.min(self.text_rows, #self.shown - 1),
  }
end

-- What a frame is about to change, so that a lost one can be taken back.
local function keep_before(self)
  self.before = {
    stale = self.stale or what_stands(self),
    waiting = self.waiting,
    kept = self.kept,
    rest = self.kept and self.kept.rest,
    padding = self.padding,
  }
end

-- After a resize: goes up to where the live part begins now and clears from there. What of the
-- transcript was pushed into the scrollback is left there, with the rest of its row. Returns how far
-- below the first row that is drawn anew the cursor was, from 1.
local function clear_stale(self, pen)
  local stale = self.stale
  local kept_rows = 0
  pen.row = stale.row
  if self.reflow then
    pen.row = reflow.rows_above(stale, self.cols) + 1 + (stale.moved or 0)
    self.padding = reflow.padding(stale, self.cols)
    local count
    kept_rows, count = reflow.pushed(stale, self.cols)
    self.kept = count > 0 and kept_text.new(stale.lines, count, self.kept) or self.kept
  end
  local start = pen.row
  frame.clear_below(pen, kept_rows + 1)
  pen.row, self.stale, self.shown = 1, nil, { "" }
  return start - kept_rows
end

-- Leaves out what is in the scrollback already, and puts blank rows above the live lines where they
-- are needed, until finished rows take their place.
local function adapt(self, target, live, cursor, gap)
  local moved = 0
  if self.kept then
    target = self.kept:cut(target, #target, true)
    self.waiting = target[1] and self.waiting or {}
    live, moved = self.kept:cut(live, math.min(gap or 0, #live - 1), false)
    self.kept = self.kept.rest ~= "" and self.kept or nil
  end
  self.padding = math.max(0, math.min(self.padding - #target, self.rows - 1 - #live))
  if self.padding > 0 then
    local lines = {}
    for row = 1, self.padding do
      lines[row] = ""
    end
    live = table.move(live, 1, #live, #lines + 1, lines)
    moved = moved - self.padding
  end
  cursor = cursor and { row = cursor.row - moved, col = cursor.col }
  return target, live, cursor, gap and math.max(0, gap - moved)
end

local function place_cursor(self, pen, cursor, above, live)
  local out = pen.out
  local row = cursor and math.min(math.max(cursor.row, 1), #live) or #live
  local col = cursor and math.min(math.max(cursor.col, 1), self.cols) or 1
  frame.move_row(pen, above + row)
  out[#out + 1] = col == 1 and "\r" or "\27[" .. col .. "G"
  if self.is_hidden ~= (cursor == nil) then
    self.is_hidden = cursor == nil
    out[#out + 1] = self.is_hidden and HIDE or SHOW
  end
  self.row, self.col = row, col
end

local function is_same_cursor(self, cursor, live)
  if not cursor then
    return self.is_hidden
  end
  local row = math.min(math.max(cursor.row, 1), #live)
  local col = math.min(math.max(cursor.col, 1), self.cols)
  return not self.is_hidden and self.row == row and self.col == col
end

-- Puts blank rows between the growing text and what stands below it, so that a live part that has
-- become shorter stays where it is; the next rows that are written take their place.
local function add_gap(self, live, cursor, above, gap)
  local missing = math.min(#self.shown, self.rows) - above - #live
  if not gap or missing <= 0 then
    return live, cursor
  end
  local padded = table.move(live, 1, gap, 1, {})
  for _ = 1, missing do
    padded[#padded + 1] = ""
  end
  table.move(live, gap + 1, #live, #padded + 1, padded)
  if cursor and cursor.row > gap then
    cursor = { row = cursor.row + missing, col = cursor.col }
  end
  return padded, cursor
end

local function write_frame(self, pen, target, live, cursor)
  frame.change(pen, self.shown, target, self.rows)
  if self.marks_live then
    frame.move_row(pen, #target - #live + 1)
    pen.out[#pen.out + 1] = MARK
  end
  place_cursor(self, pen, cursor, #target - #live, live)
  self.shown, self.waiting = live, {}
  local body = table.concat(pen.out)
  if pen.wraps then
    body = NO_WRAP .. body .. WRAP
  end
  local unsent = self.images and self.images:take_unsent() or ""
  self.write(unsent .. SYNC .. body .. UNSYNC)
end

--- Draws one frame: waiting finished lines, then the live lines with the cursor in them.
--- It is one write, and none when nothing changed. Of a live part taller than the screen the
--- last rows are shown (the cursor's in any case); the others come when they are finished.
---@param lines string[]
---@param cursor panto.tui.Cursor? the cursor is hidden without it
---@param gap integer? behind how many of the lines blank rows may stand when they become fewer
---@return boolean wrote
function Screen:draw(lines, cursor, gap)
  if self.is_suspended or self.is_closed then
    return false
  end
  local pen, start = frame.pen(self.row), self.row
  keep_before(self)
  if self.stale then
    start = clear_stale(self, pen)
  end
  local live, hidden = fit_live(self, lines, cursor)
  cursor = cursor and { row = cursor.row - hidden, col = cursor.col }
  gap = gap and math.max(0, gap - hidden)
  local target
  target, live, cursor, gap = adapt(self, fit_waiting(self), live, cursor, gap)
  self.text_rows = gap or 0
  local above = #target
  live, cursor = add_gap(self, live, cursor, above, gap)
  local is_still = above == 0 and #pen.out == 0 and same_lines(self.shown, live)
  if is_still and is_same_cursor(self, cursor, live) then
    return false
  end
  write_frame(self, pen, table.move(live, 1, #live, above + 1, target), live, cursor)
  if self.before then
    self.before.moved = (self.before.stale.moved or 0) + pen.row - start
  end
  return true
end

--- Takes the new size; the next frame clears what the live part has become and draws it anew.
---@param cols integer
---@param rows integer
function Screen:resize(cols, rows)
  self.stale = self.stale or what_stands(self)
  self.stale.at = nil
  self.cols, self.rows, self.fitted = cols, rows, {}
end

--- Takes the last frame back, which came in when the terminal had another size already: cut off, and
--- in rows that were others by then. The next one clears it and draws again what it had to.
function Screen:undo()
  local before = self.before
  if not before then
    return
  end
  self.before = nil
  self.stale = before.stale
  self.stale.moved, self.stale.at = before.moved, nil
  self.waiting = table.move(self.waiting, 1, #self.waiting, #before.waiting + 1, before.waiting)
  self.kept, self.padding = before.kept, before.padding
  if self.kept then
    self.kept.rest = before.rest
  end
end

--- Takes the screen's row in which the terminal says that the cursor stands after a resize.
---@param row integer from 1
function Screen:locate(row)
  if self.stale then
    self.stale.at = row - (self.stale.moved or 0)
  end
end

--- Makes the next frame draw the whole live part, as after a foreign write to the terminal.
function Screen:invalidate()
  self:resize(self.cols, self.rows)
end

--- Takes the live part off the screen and leaves the cursor there for another program.
function Screen:suspend()
  if self.is_suspended or self.is_closed then
    return
  end
  local pen = frame.pen(self.row)
  self.stale = self.stale or what_stands(self)
  clear_stale(self, pen)
  self.write(SYNC .. table.concat(pen.out) .. SHOW .. UNSYNC)
  self.row, self.col, self.is_hidden, self.is_suspended = 1, 1, false, true
end

--- Lets frames be drawn again, from the row the cursor is in now.
function Screen:resume()
  if self.is_suspended then
    self.is_suspended = false
    self.shown, self.row, self.col = { "" }, 1, 1
    self.stale = what_stands(self)
  end
end

--- Leaves the live part where it is and the cursor, visible, on a fresh line below it.
function Screen:close()
  if self.is_closed then
    return
  end
  self.is_closed = true
  local pen = frame.pen(self.row)
  if not self.is_suspended then
    frame.move_row(pen, #self.shown)
    pen.out[#pen.out + 1] = "\r\n"
  end
  self.write(table.concat(pen.out) .. WRAP .. SHOW)
end

return screen
