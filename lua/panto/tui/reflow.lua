-- What has become of the live rows on a terminal that was resized: it wraps rows that are too wide
-- and pushes as many off its top, whatever is free below.
local text = require("panto.sys.text")

local reflow = {}

-- So many rows above the live part are pushed off when a screen becomes half as wide.
local RESERVE = 8

-- The row, from 0, that a column of a line gets into where it is wrapped at so many columns; a wide
-- character that does not fit goes into the next row whole.
local function wrapped_row(line, column, cols)
  if text.is_plain(line) then
    return (column - 1) // cols
  end
  local row, used, seen = 0, 0, 0
  for _, wide in text.graphemes(line) do
    if used + wide > cols then
      row, used = row + 1, 0
    end
    used, seen = used + wide, seen + wide
    if seen >= column then
      break
    end
  end
  return row
end

local function wrapped_rows(lines, count, cols)
  local total = 0
  for row = 1, count do
    local width = math.max(1, text.width(lines[row]))
    total = total + wrapped_row(lines[row], width, cols) + 1
  end
  return total
end

---@class panto.tui.Stale what stood on the screen before a resize
---@field lines string[]
---@field row integer the cursor's
---@field col integer
---@field cols integer the screen's
---@field text_rows integer how many of the lines are the transcript's
---@field moved integer? how far a lost frame has moved the cursor down since
---@field at integer? the screen's row in which the cursor is now, where the terminal has told it

--- Counts the screen's rows of live lines above the cursor's row.
---@param stale panto.tui.Stale
---@param cols integer at which the terminal has wrapped them
---@return integer
function reflow.rows_above(stale, cols)
  local line = stale.lines[stale.row]
  local column = math.min(stale.col, math.max(1, text.width(line)))
  return wrapped_rows(stale.lines, stale.row - 1, cols) + wrapped_row(line, column, cols)
end

local function pushed_rows(stale, cols)
  return stale.at and math.max(0, reflow.rows_above(stale, cols) - (stale.at - 1)) or 0
end

--- Tells how many rows from the beginning of the live part on can not be cleared, as they were pushed
--- into the scrollback or are the rest of a line of the transcript that was.
---@param stale panto.tui.Stale
---@param cols integer
---@return integer rows
---@return integer count of how many lines of the transcript
function reflow.pushed(stale, cols)
  local pushed = pushed_rows(stale, cols)
  local count, rows = 0, 0
  while rows < pushed and count < stale.text_rows do
    count = count + 1
    rows = rows + wrapped_rows({ stale.lines[count] }, 1, cols)
  end
  return math.max(pushed, rows), count
end

--- Tells how many blank rows should stand above the live lines, so that these are not the next ones
--- to be pushed off: only once a screen has become narrower.
---@param stale panto.tui.Stale
---@param cols integer
---@return integer rows
function reflow.padding(stale, cols)
  if not stale.at or cols >= stale.cols then
    return 0
  end
  local cleared = reflow.rows_above(stale, cols) - reflow.pushed(stale, cols)
  return RESERVE - math.max(0, stale.at - 1 - cleared)
end

return reflow
