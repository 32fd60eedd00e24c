-- Turns the rows that are on the screen and those that shall be into the bytes between them.

local frame = {}

local RESET = "\27[0m"
-- From the second column on: where the whole screen would be cleared from its first cell, tmux puts
-- what stands there into the scrollback.
local CLEAR_BELOW = "\r\27[K\27[2G\27[J\r"
local NOT_PLAIN = "[^ -~]"

-- How many rows stand right when `shift` rows are put in after row `at`.
local function kept_rows(old, new, at, shift)
  local kept = 0
  for row = 1, #new do
    local is_fresh = row > at and row <= at + shift
    local before = row <= at and row or row - shift
    if not is_fresh and old[before] == new[row] then
      kept = kept + 1
    end
  end
  return kept
end

local function common_head(old, new)
  local head = 0
  while head < #old and old[head + 1] == new[head + 1] do
    head = head + 1
  end
  return head
end

-- Where rows are best put in: after the common beginning or before the common end.
local function place_to_insert(old, new)
  local head, tail = common_head(old, new), 0
  while tail < #old - head and old[#old - tail] == new[#new - tail] do
    tail = tail + 1
  end
  local shift = #new - #old
  if kept_rows(old, new, #old - tail, shift) > kept_rows(old, new, head, shift) then
    return #old - tail
  end
  return head
end

---@class panto.tui.Pen
---@field out string[] the bytes so far
---@field row integer the row the cursor is in, counted from the first live row
---@field wraps boolean whether text was written whose width a terminal may see otherwise

--- Makes a pen whose cursor stands in the given row.
---@param row integer
---@return panto.tui.Pen
function frame.pen(row)
  return { out = {}, row = row, wraps = false }
end

local function put(pen, bytes)
  pen.out[#pen.out + 1] = bytes
end

--- Moves the pen up or down to a row that exists; the column is anywhere afterwards. Down goes by
--- newlines: where a terminal that shrank has dropped the rows below and not told it yet (tmux
--- tells up to 250 ms later), they scroll, and no finished line is overwritten.
---@param pen panto.tui.Pen
---@param row integer
function frame.move_row(pen, row)
  local by = row - pen.row
  if by > 0 then
    put(pen, ("\n"):rep(by))
  elseif by < 0 then
    put(pen, "\27[" .. (by == -1 and "" or -by) .. "A")
  end
  pen.row = row
end

--- Clears a row and all below it; the pen stands at its beginning.
---@param pen panto.tui.Pen
---@param row integer
function frame.clear_below(pen, row)
  frame.move_row(pen, row)
  put(pen, CLEAR_BELOW)
end

local function put_line(pen, line)
  pen.wraps = pen.wraps or line:find("[\128-\255]") ~= nil
  put(pen, line)
  if line:find("\27", 1, true) then
    put(pen, RESET)
  end
end

-- How many columns of two lines are the same plain beginning; a character that a mark follows
-- is not part of it.
local function common_columns(old, new)
  local low, high = 0, math.min(#old, #new, (old:find(NOT_PLAIN) or #old + 1) - 1)
  while low < high do
    local middle = (low + high + 1) // 2
    if old:sub(1, middle) == new:sub(1, middle) then
      low = middle
    else
      high = middle - 1
    end
  end
  local after = math.max(old:byte(low + 1) or 0, new:byte(low + 1) or 0)
  return after > 127 and low - 1 or low
end

local function rewrite(pen, row, old, new)
  frame.move_row(pen, row)
  local same = common_columns(old, new)
  if same < 4 then
    put(pen, "\r")
    if old ~= "" then
      put(pen, "\27[K")
    end
    put_line(pen, new)
    return
  end
  put(pen, "\27[" .. same + 1 .. "G")
  if #old > same then
    put(pen, "\27[K")
  end
  put_line(pen, new:sub(same + 1))
end

-- Makes room for rows by moving those below down; no row leaves the screen unless it is right.
local function insert_rows(pen, old, at, count)
  frame.move_row(pen, #old)
  put(pen, ("\n"):rep(count))
  pen.row = #old + count
  if at < #old then
    frame.move_row(pen, at + 1)
    put(pen, "\27[" .. count .. "L")
  end
  local moved = table.move(old, 1, at, 1, {})
  for row = at + 1, at + count do
    moved[row] = ""
  end
  return table.move(old, at + 1, #old, at + count + 1, moved)
end

local function write_from(pen, old, new, head)
  if head < #old then
    frame.clear_below(pen, head + 1)
  else
    frame.move_row(pen, #old)
    put(pen, "\r\n")
  end
  for row = head + 1, #new do
    if row > head + 1 then
      put(pen, "\r\n")
    end
    put_line(pen, new[row])
  end
  pen.row = #new
end

--- Writes what turns the rows `old` into the rows `new`, both starting at the first live row.
--- As long as both fit into the screen rows are put in and rewritten in place; else it writes on
--- from the first difference and lets the terminal scroll.
---@param pen panto.tui.Pen
---@param old string[] at least one row, all of them on the screen
---@param new string[] at least one row
---@param rows integer height of the screen
function frame.change(pen, old, new, rows)
  if #new > rows then
    write_from(pen, old, new, common_head(old, new))
    return
  end
  if #new > #old then
    old = insert_rows(pen, old, place_to_insert(old, new), #new - #old)
  end
  for row = 1, #new do
    if old[row] ~= new[row] then
      rewrite(pen, row, old[row], new[row])
    end
  end
  if #old > #new then
    frame.clear_below(pen, #new + 1)
  end
end

return frame
