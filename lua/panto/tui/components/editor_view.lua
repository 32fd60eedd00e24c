-- Turns an editor's draft into the rows around its cursor, a prompt before them and rules around.
local text = require("panto.sys.text")

local editor_view = {}

local MARK = "%[paste #%d+: %d+ %l+%]"

--- Returns how many columns the draft's text has; one is left for the cursor at a row's end.
---@param self panto.tui.Editor
---@return integer
function editor_view.columns(self)
  return math.max(1, self.width - text.width(self.prompt) - 1)
end

-- The rows shown: from the cursor's row upwards, then downwards, as many as are allowed.
local function visible_rows(self, columns)
  local draft = self.draft
  local at, column = draft:get_place(columns)
  local rows, above = {}, 0
  local row, visual = draft.row, at
  while row >= 1 and above < self.max_rows do
    local found = draft:get_rows(row, columns)
    table.insert(rows, 1, { found, visual, row })
    above, visual = above + 1, visual - 1
    if visual < 1 then
      row = row - 1
      visual = row >= 1 and #draft:get_rows(row, columns).starts or 0
    end
  end
  local has_above = row >= 1
  row, visual = draft.row, at
  while true do
    visual = visual + 1
    if visual > #draft:get_rows(row, columns).starts then
      row, visual = row + 1, 1
    end
    if row > #draft.lines or #rows >= self.max_rows then
      return rows, above, column, has_above, row <= #draft.lines
    end
    rows[#rows + 1] = { draft:get_rows(row, columns), visual, row }
  end
end

local function rule(self, width, has_more, arrow)
  local line = ("─"):rep(width)
  if has_more and width > 8 then
    line = "── " .. arrow .. " " .. ("─"):rep(width - 5)
  end
  return self.theme:paint("rule", line)
end

local function paint_marks(self, row)
  if not row:find("[paste #", 1, true) then
    return row
  end
  return (row:gsub(MARK, function(mark)
    return self.theme:paint("paste", mark)
  end))
end

--- Renders the draft.
---@param self panto.tui.Editor
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor cursor
function editor_view.render(self, width)
  local columns = editor_view.columns(self)
  local rows, at, column, has_above, has_below = visible_rows(self, columns)
  local lead = text.width(self.prompt)
  local lines = { rule(self, width, has_above, "↑") }
  for index, entry in ipairs(rows) do
    local found, visual = entry[1], entry[2]
    local row = found.shown:sub(found.starts[visual], found.stops[visual])
    local is_first = entry[3] == 1 and visual == 1
    local prompt = is_first and self.theme:paint("accent", self.prompt) or (" "):rep(lead)
    lines[index + 1] = prompt .. paint_marks(self, row)
  end
  if self.draft:is_empty() and self.placeholder then
    local shown = text.cut(self.placeholder, columns)
    lines[2] = lines[2] .. self.theme:paint("muted", shown)
  end
  lines[#lines + 1] = rule(self, width, has_below, "↓")
  local col = lead + math.min(column, columns + 1)
  return lines, { row = at + 1, col = math.min(col, width) }
end

return editor_view
