-- Changes a draft around its cursor: erase, kill, yank, transpose, undo.
local layout = require("panto.tui.layout")

local draft_edit = {}

--- Erases the cell before the cursor, or the line end.
---@param self panto.tui.Draft
---@return boolean changed
function draft_edit:backspace()
  local row, col = self.row, self.col
  if col > 0 then
    self:replace(row, layout.before(self.lines[row], col), row, col, "", "erase")
  elseif row > 1 then
    self:replace(row - 1, #self.lines[row - 1], row, 0, "")
  else
    return false
  end
  return true
end

--- Erases the cell after the cursor, or the line end.
---@param self panto.tui.Draft
---@return boolean changed
function draft_edit:delete()
  local row, col = self.row, self.col
  local line = self.lines[row]
  if col < #line then
    self:replace(row, col, row, layout.after(line, col), "")
  elseif row < #self.lines then
    self:replace(row, col, row + 1, 0, "")
  else
    return false
  end
  return true
end

local function kill(self, row1, col1, row2, col2, join)
  local continues = self.last == "kill"
  local cut = self:get_range(row1, col1, row2, col2)
  if cut == "" then
    return
  end
  self.ring:add(cut, continues and join or nil)
  self:replace(row1, col1, row2, col2, "")
  self.last = "kill"
end

--- Cuts to the end of the line; at the end, the line end itself.
---@param self panto.tui.Draft
function draft_edit:kill_to_end()
  local length = #self.lines[self.row]
  if self.col < length then
    kill(self, self.row, self.col, self.row, length, "after")
  elseif self.row < #self.lines then
    kill(self, self.row, self.col, self.row + 1, 0, "after")
  end
end

--- Cuts to the beginning of the line; at the beginning, the line end before it.
---@param self panto.tui.Draft
function draft_edit:kill_to_start()
  if self.col > 0 then
    kill(self, self.row, 0, self.row, self.col, "before")
  elseif self.row > 1 then
    kill(self, self.row - 1, #self.lines[self.row - 1], self.row, 0, "before")
  end
end

--- Cuts the word before the cursor.
---@param self panto.tui.Draft
function draft_edit:kill_word_left()
  local row, col = self:get_word_left()
  kill(self, row, col, self.row, self.col, "before")
end

--- Cuts back to the blank before the cursor, as Ctrl+W does in a shell.
---@param self panto.tui.Draft
function draft_edit:kill_blank_word_left()
  if self.col == 0 then
    self:kill_word_left()
    return
  end
  local start = self.lines[self.row]:sub(1, self.col):match("()%S*%s*$")
  kill(self, self.row, start - 1, self.row, self.col, "before")
end

--- Cuts the word after the cursor.
---@param self panto.tui.Draft
function draft_edit:kill_word_right()
  local row, col = self:get_word_right()
  kill(self, self.row, self.col, row, col, "after")
end

--- Puts in the text that was cut last.
---@param self panto.tui.Draft
function draft_edit:yank()
  local text = self.ring:get()
  if text then
    local row, col = self.row, self.col
    self:replace(row, col, row, col, text)
    self.last, self.yanked_row, self.yanked_col = "yank", row, col
  end
end

--- Right after a yank, exchanges the text for the one that was cut before it.
---@param self panto.tui.Draft
function draft_edit:yank_pop()
  if self.last ~= "yank" then
    return
  end
  local row, col = self.yanked_row, self.yanked_col
  self:replace(row, col, self.row, self.col, self.ring:rotate())
  self.last = "yank"
end

--- Exchanges the cells around the cursor and moves on; at the line end, the last two.
---@param self panto.tui.Draft
function draft_edit:transpose()
  local line, row, middle = self.lines[self.row], self.row, self.col
  if middle == #line then
    middle = layout.before(line, middle)
  end
  local first = layout.before(line, middle)
  local last = layout.after(line, middle)
  if middle == 0 or first == middle or middle == last then
    return
  end
  local swapped = line:sub(middle + 1, last) .. line:sub(first + 1, middle)
  self:replace(row, first, row, last, swapped)
end

--- Takes the last change back; false when there is none.
---@param self panto.tui.Draft
---@return boolean changed
function draft_edit:undo()
  local edit = self.edits:back()
  if not edit then
    return false
  end
  self:apply(edit.row, edit.col, edit.new, edit.old)
  self.row, self.col = edit.cursor_row, edit.cursor_col
  return true
end

--- Makes a change again that was taken back; false when there is none.
---@param self panto.tui.Draft
---@return boolean changed
function draft_edit:redo()
  local edit = self.edits:forth()
  if not edit then
    return false
  end
  self:apply(edit.row, edit.col, edit.old, edit.new)
  return true
end

return draft_edit
