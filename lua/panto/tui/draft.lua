-- The text that is being written: lines, a cursor, and long pastes that are drawn as one mark.
local ansi = require("panto.base.ansi")
local draft_edit = require("panto.tui.draft_edit")
local draft_motion = require("panto.tui.draft_motion")
local kill_ring = require("panto.tui.kill_ring")
local undo = require("panto.tui.undo")

local draft = {}

---@class panto.tui.Draft
---@field lines string[] at least one; a long paste stands in them as "\1id\2"
---@field row integer the cursor's line, from 1
---@field col integer bytes before the cursor in it
---@field pastes table<string, string> the text of each long paste
---@field labels table<string, string> what is drawn for it
---@field ring panto.tui.KillRing
---@field edits panto.tui.Undo
---@field last "kill"|"yank"|nil the kind of the last command, where the next one depends on it
---@field goal integer? the column that moving up and down keeps
---@field version integer goes up with every change of the lines
local Draft = {}
Draft.__index = Draft
for _, part in ipairs({ draft_edit, draft_motion }) do
  for name, method in pairs(part) do
    Draft[name] = method
  end
end

local MAX_PASTE_LINES, MAX_PASTE_CHARACTERS = 10, 1000
local MAX_SET_BYTES = 65536
local MARKER = "\1(%d+)\2"

--- Makes an empty draft.
---@return panto.tui.Draft
function draft.new()
  local self = setmetatable({ ring = kill_ring.new(), version = 0 }, Draft)
  self:reset()
  return self
end

--- Empties the draft and forgets its pastes and its undo steps; the kill ring stays.
function Draft:reset()
  self.lines, self.row, self.col = { "" }, 1, 0
  self.version = self.version + 1
  self.pastes, self.labels, self.paste_count = {}, {}, 0
  self.edits = undo.new()
  self.last, self.goal = nil, nil
  self.layouts, self.layout_width, self.layout_count = {}, nil, 0
end

--- Notes that the cursor is moved: a run of typing, killing or going up and down ends.
function Draft:moved()
  self.last, self.goal = nil, nil
  self.edits:close()
end

local function split(s)
  local lines, i = {}, 1
  while true do
    local stop = s:find("\n", i, true)
    lines[#lines + 1] = s:sub(i, (stop or #s + 1) - 1)
    if not stop then
      return lines
    end
    i = stop + 1
  end
end

--- Returns the text between two places as it stands in the lines.
---@param row1 integer
---@param col1 integer
---@param row2 integer
---@param col2 integer
---@return string
function Draft:get_range(row1, col1, row2, col2)
  if row1 == row2 then
    return self.lines[row1]:sub(col1 + 1, col2)
  end
  local parts = { self.lines[row1]:sub(col1 + 1) }
  table.move(self.lines, row1 + 1, row2 - 1, 2, parts)
  parts[#parts + 1] = self.lines[row2]:sub(1, col2)
  return table.concat(parts, "\n")
end

-- Puts lines in the place of the lines row1 to row2.
local function splice(lines, row1, row2, put)
  local shift = #put - (row2 - row1 + 1)
  local count = #lines
  if shift ~= 0 then
    table.move(lines, row2 + 1, count, row2 + 1 + shift)
    for row = count, count + shift + 1, -1 do
      lines[row] = nil
    end
  end
  table.move(put, 1, #put, row1, lines)
end

local function put_text(self, row1, col1, row2, col2, text)
  self.version = self.version + 1
  local put = split(text)
  local count = #put
  local tail = self.lines[row2]:sub(col2 + 1)
  put[1] = self.lines[row1]:sub(1, col1) .. put[1]
  self.row, self.col = row1 + count - 1, #put[count]
  put[count] = put[count] .. tail
  splice(self.lines, row1, row2, put)
end

--- Replaces the text between two places, leaves the cursor after it, and records the step.
---@param row1 integer
---@param col1 integer
---@param row2 integer
---@param col2 integer
---@param text string
---@param kind "type"|"erase"|nil steps of one kind that meet are taken back together
function Draft:replace(row1, col1, row2, col2, text, kind)
  self.edits:add({
    row = row1,
    col = col1,
    old = self:get_range(row1, col1, row2, col2),
    new = text,
    kind = kind,
    cursor_row = self.row,
    cursor_col = self.col,
  })
  put_text(self, row1, col1, row2, col2, text)
  self.last, self.goal = nil, nil
end

--- Puts `new` where `old` stands at a place, without recording it; undo and redo are made of it.
---@param row integer
---@param col integer
---@param old string
---@param new string
function Draft:apply(row, col, old, new)
  local _, breaks = old:gsub("\n", "")
  local tail = old:match("[^\n]*$")
  put_text(self, row, col, row + breaks, breaks == 0 and col + #old or #tail, new)
  self.last, self.goal = nil, nil
end

-- Text from outside: no control characters but newline and tab, no broken UTF-8.
local function clean(text)
  if text:find("\r", 1, true) then
    text = text:gsub("\r\n?", "\n")
  end
  return ansi.clean(text)
end

--- Puts text in at the cursor.
---@param text string
function Draft:insert(text)
  local is_typed = #text <= 8 and not text:find("\n", 1, true)
  self:replace(self.row, self.col, self.row, self.col, clean(text), is_typed and "type" or nil)
end

--- Puts a line end in at the cursor.
function Draft:newline()
  self:replace(self.row, self.col, self.row, self.col, "\n")
end

-- By searching, which costs a tenth of what a substitution would.
local function count_breaks(text)
  local count, at = 0, text:find("\n", 1, true)
  while at do
    count, at = count + 1, text:find("\n", at + 1, true)
  end
  return count
end

-- Keeps a long text aside and returns the mark for it.
local function mark(self, text)
  local count = count_breaks(text) + (text:sub(-1) == "\n" and 0 or 1)
  local characters = #text > MAX_PASTE_CHARACTERS and (utf8.len(text) or #text) or 0
  if count > MAX_PASTE_LINES or characters > MAX_PASTE_CHARACTERS then
    self.paste_count = self.paste_count + 1
    local id = tostring(self.paste_count)
    local size = count > MAX_PASTE_LINES and count .. " lines" or characters .. " characters"
    self.pastes[id], self.labels[id] = text, "[paste #" .. id .. ": " .. size .. "]"
    text = "\1" .. id .. "\2"
  end
  return text
end

--- Puts a paste in as one step; a long one becomes a mark that `text` turns back.
---@param text string
function Draft:paste(text)
  self:replace(self.row, self.col, self.row, self.col, mark(self, clean(text)))
end

--- Turns the paste mark at the cursor (before or after it) into its text; false if there is none.
---@return boolean changed
function Draft:expand_paste()
  local line, col = self.lines[self.row], self.col
  local id, stop = line:match("^\1(%d+)\2()", col + 1)
  if not id then
    local head = line:sub(1, col)
    local start
    start, id = head:match("()\1(%d+)\2$")
    stop, col = col + 1, (start or 1) - 1
  end
  if not id then
    return false
  end
  self:replace(self.row, col, self.row, stop - 1, self.pastes[id])
  return true
end

--- Returns the whole text, pastes expanded.
---@return string
function Draft:text()
  local text = table.concat(self.lines, "\n")
  if not text:find("\1", 1, true) then
    return text
  end
  return (text:gsub(MARKER, self.pastes))
end

--- Tells whether nothing is written.
---@return boolean
function Draft:is_empty()
  return #self.lines == 1 and self.lines[1] == ""
end

--- Replaces the whole text (one undo step) and puts the cursor at its end; a huge one is a paste.
---@param text string
function Draft:set(text)
  local last = #self.lines
  text = clean(text)
  text = #text > MAX_SET_BYTES and mark(self, text) or text
  self:replace(1, 0, last, #self.lines[last], text)
  self.edits:close()
end

--- Returns what `restore` brings back: the lines with their marks, and the cursor.
---@return table
function Draft:save()
  return { text = table.concat(self.lines, "\n"), row = self.row, col = self.col }
end

--- Brings a saved state back, as one undo step.
---@param saved table what `save` returned
function Draft:restore(saved)
  local last = #self.lines
  self:replace(1, 0, last, #self.lines[last], saved.text)
  self.row, self.col = saved.row, saved.col
  self.edits:close()
end

return draft
