-- Moves the cursor of a draft: by cell, word, line, row of the wrapped text, and to its ends.
local layout = require("panto.tui.layout")

local draft_motion = {}

local MAX_LAYOUTS = 512

--- Moves one cell to the left, over a line end too.
---@param self panto.tui.Draft
---@return boolean moved
function draft_motion:left()
  self:moved()
  if self.col > 0 then
    self.col = layout.before(self.lines[self.row], self.col)
  elseif self.row > 1 then
    self.row = self.row - 1
    self.col = #self.lines[self.row]
  else
    return false
  end
  return true
end

--- Moves one cell to the right, over a line end too.
---@param self panto.tui.Draft
---@return boolean moved
function draft_motion:right()
  self:moved()
  local line = self.lines[self.row]
  if self.col < #line then
    self.col = layout.after(line, self.col)
  elseif self.row < #self.lines then
    self.row, self.col = self.row + 1, 0
  else
    return false
  end
  return true
end

-- The end of the word at or after col, the end of the line when there is none.
local function word_end(line, col)
  local first = line:find("[%w_\1\128-\255]", col + 1)
  if not first then
    return #line
  end
  if line:byte(first) == 1 then
    return layout.after(line, first - 1)
  end
  return line:match("^[%w_\128-\255]+()", first) - 1
end

local function word_start(line, col)
  local head = line:sub(1, col):match("^(.-)[^%w_\2\128-\255]*$")
  if head:sub(-1) == "\2" then
    return layout.before(head, #head)
  end
  return head:match("()[%w_\128-\255]*$") - 1
end

--- Finds the place a move by one word to the left ends in.
---@param self panto.tui.Draft
---@return integer row
---@return integer col
function draft_motion:get_word_left()
  if self.col == 0 and self.row > 1 then
    return self.row - 1, #self.lines[self.row - 1]
  end
  return self.row, word_start(self.lines[self.row], self.col)
end

--- Finds the place a move by one word to the right ends in.
---@param self panto.tui.Draft
---@return integer row
---@return integer col
function draft_motion:get_word_right()
  local line = self.lines[self.row]
  if self.col == #line and self.row < #self.lines then
    return self.row + 1, 0
  end
  return self.row, word_end(line, self.col)
end

--- Moves to the beginning of the word before the cursor.
---@param self panto.tui.Draft
function draft_motion:word_left()
  self:moved()
  self.row, self.col = self:get_word_left()
end

--- Moves to the end of the word after the cursor.
---@param self panto.tui.Draft
function draft_motion:word_right()
  self:moved()
  self.row, self.col = self:get_word_right()
end

--- Moves to the beginning of the line.
---@param self panto.tui.Draft
function draft_motion:home()
  self:moved()
  self.col = 0
end

--- Moves to the end of the line.
---@param self panto.tui.Draft
function draft_motion:to_end()
  self:moved()
  self.col = #self.lines[self.row]
end

--- Moves to the beginning of the draft.
---@param self panto.tui.Draft
function draft_motion:to_first()
  self:moved()
  self.row, self.col = 1, 0
end

--- Moves to the end of the draft.
---@param self panto.tui.Draft
function draft_motion:to_last()
  self:moved()
  self.row = #self.lines
  self.col = #self.lines[self.row]
end

--- Returns the rows a line of the draft takes at a width; they are kept until the width changes.
---@param self panto.tui.Draft
---@param row integer
---@param width integer
---@return panto.tui.Rows
function draft_motion:get_rows(row, width)
  local line = self.lines[row]
  if self.layout_width ~= width or self.layout_count > MAX_LAYOUTS then
    self.layouts, self.layout_width, self.layout_count = {}, width, 0
  end
  local rows = self.layouts[line]
  if not rows then
    rows = layout.rows(line, width, self.labels)
    self.layouts[line], self.layout_count = rows, self.layout_count + 1
  end
  return rows
end

--- Returns the row of its line and the column (both from 1) the cursor is drawn in.
---@param self panto.tui.Draft
---@param width integer
---@return integer row
---@return integer column
function draft_motion:get_place(width)
  local rows = self:get_rows(self.row, width)
  return layout.place(rows, self.lines[self.row], self.col, self.labels)
end

local function move_rows(self, width, by)
  local visual, column = self:get_place(width)
  local goal = self.goal or column
  local row = self.row
  visual = visual + by
  if visual < 1 then
    row = row - 1
    visual = row >= 1 and #self:get_rows(row, width).starts or 0
  elseif visual > #self:get_rows(row, width).starts then
    row, visual = row + 1, 1
  end
  if row < 1 or row > #self.lines then
    return false
  end
  local rows = self:get_rows(row, width)
  self:moved()
  self.row = row
  self.col = layout.at(rows, self.lines[row], visual, goal, self.labels)
  self.goal = goal
  return true
end

--- Moves one row up in the wrapped draft, keeping the column; false in the first row.
---@param self panto.tui.Draft
---@param width integer
---@return boolean moved
function draft_motion:up(width)
  return move_rows(self, width, -1)
end

--- Moves one row down in the wrapped draft, keeping the column; false in the last row.
---@param self panto.tui.Draft
---@param width integer
---@return boolean moved
function draft_motion:down(width)
  return move_rows(self, width, 1)
end

return draft_motion
