-- Turns edits into steps that can be taken back and done again; typing runs together into one step.
local undo = {}

local Undo = {}
Undo.__index = Undo

local MAX_STEPS = 1000

---@class panto.tui.Edit
---@field row integer first line of the place, from 1
---@field col integer bytes before the place in that line
---@field old string what stood there
---@field new string what stands there now
---@field kind string? edits of the same kind that meet are one step: "type", "erase"
---@field cursor_row integer where the cursor was before
---@field cursor_col integer

--- Makes an empty record of edits.
---@return panto.tui.Undo
function undo.new()
  return setmetatable({ done = {}, undone = {}, is_open = false }, Undo)
end

---@class panto.tui.Undo
---@field done panto.tui.Edit[]
---@field undone panto.tui.Edit[]
---@field is_open boolean whether the last step may still grow

-- Typing grows a step until a new word begins.
local function may_join(last, edit)
  if not last or last.kind ~= edit.kind or last.row ~= edit.row then
    return false
  end
  if edit.kind == "type" then
    local starts_word = last.new:find("%s$") and not edit.new:find("^%s")
    return not starts_word and last.old == "" and last.col + #last.new == edit.col
  end
  return edit.kind == "erase" and edit.col + #edit.old == last.col and last.new == ""
end

--- Records an edit that was made.
---@param edit panto.tui.Edit
function Undo:add(edit)
  self.undone = {}
  local last = self.done[#self.done]
  if self.is_open and may_join(last, edit) then
    if edit.kind == "type" then
      last.new = last.new .. edit.new
    else
      last.old, last.col = edit.old .. last.old, edit.col
    end
    return
  end
  self.done[#self.done + 1] = edit
  if #self.done > MAX_STEPS then
    table.remove(self.done, 1)
  end
  self.is_open = true
end

--- Ends the step that is growing, as when the cursor was moved.
function Undo:close()
  self.is_open = false
end

--- Takes the last step to take back, nil when there is none.
---@return panto.tui.Edit?
function Undo:back()
  local edit = table.remove(self.done)
  self.undone[#self.undone + 1] = edit
  self.is_open = false
  return edit
end

--- Takes the next step to do again, nil when there is none.
---@return panto.tui.Edit?
function Undo:forth()
  local edit = table.remove(self.undone)
  self.done[#self.done + 1] = edit
  self.is_open = false
  return edit
end

return undo
