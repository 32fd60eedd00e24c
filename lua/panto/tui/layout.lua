-- Turns one line of a draft into the rows it takes on the screen, and places in it into columns.
-- A long paste is one cell: "\1id\2" in the line, its label on the screen.
local text = require("panto.sys.text")
local utf8x = require("panto.base.utf8x")

local layout = {}

local MAX_CLUSTER = 64
local TAB = "    "
local MARKER = "\1(%d+)\2"

---@class panto.tui.Rows
---@field shown string the line as it is drawn
---@field starts integer[] first byte of each row in `shown`
---@field stops integer[] last byte of each row

--- Turns a line (or its beginning) into what is drawn of it.
---@param line string
---@param labels table<string, string> label of each paste by its id
---@return string
function layout.show(line, labels)
  if not line:find("[\1\t]") then
    return line
  end
  return (line:gsub("\t", TAB):gsub(MARKER, labels))
end

--- Wraps a line into rows of at most so many columns.
---@param line string
---@param width integer
---@param labels table<string, string>
---@return panto.tui.Rows
function layout.rows(line, width, labels)
  local shown = layout.show(line, labels)
  local starts, stops = text.spans(shown, width)
  return { shown = shown, starts = starts, stops = stops }
end

--- Returns the end of the cell that begins after `col` bytes.
---@param line string
---@param col integer
---@return integer col
function layout.after(line, col)
  if col >= #line then
    return #line
  end
  local marker = line:match("^\1%d+\2()", col + 1)
  if marker then
    return marker - 1
  end
  local run = utf8x.cut(line:sub(col + 1, col + MAX_CLUSTER + 4), MAX_CLUSTER)
  local piece = text.graphemes(run)()
  return col + #piece
end

--- Returns the beginning of the cell that ends after `col` bytes.
---@param line string
---@param col integer
---@return integer col
function layout.before(line, col)
  if col <= 0 then
    return 0
  end
  if line:byte(col) == 2 then
    local start = line:sub(1, col):match("()\1%d+\2$")
    return start and start - 1 or col - 1
  end
  -- A cluster is short: look back to a place where one surely begins.
  local from = col
  while from > 1 and col - from < MAX_CLUSTER and (line:byte(from) > 127 or from == col) do
    from = from - 1
  end
  while from > 1 and (line:byte(from) & 0xC0) == 0x80 do
    from = from - 1
  end
  local last = from - 1
  for piece, _, first in text.graphemes(line:sub(from, col)) do
    last = from + first - 2
    if last + #piece >= col then
      break
    end
  end
  return last
end

--- Finds the row and column (from 1) at which the place after `col` bytes is drawn.
---@param rows panto.tui.Rows
---@param line string
---@param col integer
---@param labels table<string, string>
---@return integer row
---@return integer column
function layout.place(rows, line, col, labels)
  local offset = #layout.show(line:sub(1, col), labels)
  local row = 1
  while rows.starts[row + 1] and rows.starts[row + 1] <= offset + 1 do
    row = row + 1
  end
  return row, text.width(rows.shown:sub(rows.starts[row], offset)) + 1
end

-- How many bytes of the line stand before so many bytes of what is drawn.
local function raw_col(line, offset, labels)
  local col, shown = 0, 0
  while shown < offset and col < #line do
    local stop = layout.after(line, col)
    shown = shown + #layout.show(line:sub(col + 1, stop), labels)
    if shown > offset then
      break
    end
    col = stop
  end
  return col
end

--- Finds the place (bytes of the line) nearest to a column of a row.
---@param rows panto.tui.Rows
---@param line string
---@param row integer
---@param column integer from 1
---@param labels table<string, string>
---@return integer col
function layout.at(rows, line, row, column, labels)
  local first, stop = rows.starts[row], rows.stops[row]
  local next_start = rows.starts[row + 1]
  local piece = rows.shown:sub(first, stop)
  local offset = first - 1
  local total = 0
  for cell, wide in text.graphemes(piece) do
    if total + wide > column - 1 then
      break
    end
    total, offset = total + wide, offset + #cell
  end
  if next_start and offset + 1 >= next_start then
    offset = layout.before(rows.shown, offset)
  end
  return rows.shown == line and offset or raw_col(line, offset, labels)
end

return layout
