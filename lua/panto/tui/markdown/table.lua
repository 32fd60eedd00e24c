-- Turns a Markdown table, which may still grow, into rows with aligned columns.
-- Column widths come from the first rows; those after them are written as they come.
local flow = require("panto.tui.markdown.flow")
local inline = require("panto.tui.markdown.inline")
local lead = require("panto.tui.markdown.lead")
local text = require("panto.sys.text")

local markdown_table = {}

local Table = {}
Table.__index = Table

local MEASURED_ROWS = 48
local LEAST_COLUMNS = 4

---@class panto.tui.Table
---@field head string[]
---@field alignments string[]
---@field list string[][] cells of the rows that were not taken
---@field count integer rows so far
---@field first panto.tui.Lead
---@field rest panto.tui.Lead
---@field is_open boolean

--- Makes the table, open, without rows.
---@param head string[]
---@param alignments string[]
---@param first panto.tui.Lead
---@param rest panto.tui.Lead
---@return panto.tui.Table
function markdown_table.new(head, alignments, first, rest)
  return setmetatable({
    head = head,
    alignments = alignments,
    list = {},
    count = 0,
    naturals = {},
    parsed = {},
    first = first,
    rest = rest,
    is_open = true,
    is_table = true,
  }, Table)
end

local function parse(self, cell, theme)
  local known = self.parsed[cell]
  if not known then
    known = inline.parse(cell, { has_links = theme.has_links, has_styles = theme.depth ~= "none" })
    known.text = known.text:gsub("\n", " ")
    known.columns = text.width(known.text)
    self.parsed[cell] = known
  end
  return known
end

--- Adds a row.
---@param cells string[]
function Table:add(cells)
  self.count = self.count + 1
  self.list[#self.list + 1] = cells
end

--- Returns a copy that can be rendered without a change of this one.
---@return panto.tui.Table
function Table:copy()
  local copy = {}
  for key, value in pairs(self) do
    copy[key] = value
  end
  copy.list = table.move(self.list, 1, #self.list, 1, {})
  copy.naturals = table.move(self.naturals, 1, #self.naturals, 1, {})
  return setmetatable(copy, Table)
end

local function measure(self, theme)
  if self.is_begun then
    return
  end
  for column, cell in ipairs(self.head) do
    self.naturals[column] = math.max(1, parse(self, cell, theme).columns)
  end
  for row = 1, math.min(#self.list, MEASURED_ROWS) do
    for column = 1, #self.head do
      local cell = self.list[row][column]
      if cell then
        local columns = parse(self, cell, theme).columns
        self.naturals[column] = math.max(self.naturals[column], columns)
      end
    end
  end
end

-- The widths of the columns: as wide as they are, the widest give until all fit; nil if they can't.
local function layout(naturals, width)
  local room = width - 3 * (#naturals - 1)
  if room < LEAST_COLUMNS * #naturals then
    return nil
  end
  local widths = table.move(naturals, 1, #naturals, 1, {})
  local total, limit = 0, room
  for _, columns in ipairs(widths) do
    total = total + columns
  end
  if total <= room then
    return widths
  end
  local order = table.move(naturals, 1, #naturals, 1, {})
  table.sort(order)
  local left = room
  for index, columns in ipairs(order) do
    limit = left // (#order - index + 1)
    if columns > limit then
      break
    end
    left = left - columns
  end
  for column, columns in ipairs(widths) do
    widths[column] = math.min(columns, limit)
  end
  return widths
end

local function pad(painted, columns, width, alignment)
  local space = width - columns
  local left = alignment == "right" and space or alignment == "center" and space // 2 or 0
  return (" "):rep(left) .. painted .. (" "):rep(space - left)
end

local function write(self, out, line, theme, width)
  local start = lead.paint(self.is_begun and self.rest or self.first, theme, width)
  out[#out + 1] = start .. (line:gsub(" +$", ""))
  self.is_begun = true
end

local function write_row(self, out, cells, widths, theme, width, base)
  local pieces, height = {}, 1
  for column, columns in ipairs(widths) do
    local shown = parse(self, cells[column] or "", theme)
    pieces[column] = { shown, flow.rows(shown.text, columns), 1 }
    height = math.max(height, #pieces[column][2])
  end
  local bar = theme:paint("rule", " │ ")
  for line = 1, height do
    local parts = {}
    for column, piece in ipairs(pieces) do
      local shown, row = piece[1], piece[2][line]
      local painted, columns = "", 0
      if row and row[2] >= row[1] then
        columns = text.width(shown.text:sub(row[1], row[2]))
        painted, piece[3] = flow.paint(theme, shown, row[1], row[2], base, piece[3])
      end
      parts[column] = pad(painted, columns, widths[column], self.alignments[column])
    end
    write(self, out, table.concat(parts, bar), theme, width)
  end
end

local function write_head(self, out, widths, theme, width)
  write_row(self, out, self.head, widths, theme, width, "strong")
  local parts = {}
  for column, columns in ipairs(widths) do
    parts[column] = ("─"):rep(columns)
  end
  write(self, out, theme:paint("rule", table.concat(parts, "─┼─")), theme, width)
end

-- In a window too narrow for columns each cell is a line behind its head.
local function write_list(self, out, cells, theme, width)
  local room = math.max(1, width - lead.width(self.rest, width))
  for column, cell in ipairs(cells) do
    local head = self.head[column] or ""
    local shown = parse(self, head ~= "" and head .. ": " .. cell or cell, theme)
    local at = 1
    for _, row in ipairs(flow.rows(shown.text, room)) do
      local painted
      painted, at = flow.paint(theme, shown, row[1], row[2], nil, at)
      write(self, out, painted, theme, width)
    end
  end
end

local function write_all(self, out, theme, width)
  measure(self, theme)
  local widths = layout(self.naturals, width - lead.width(self.rest, width))
  if widths and not self.is_begun then
    write_head(self, out, widths, theme, width)
  end
  for _, cells in ipairs(self.list) do
    if widths then
      write_row(self, out, cells, widths, theme, width)
    else
      write_list(self, out, cells, theme, width)
    end
  end
  self.list, self.parsed = {}, {}
end

--- Takes the rows that are final: none before the widths are known, then all.
---@param out string[]
---@param theme panto.tui.Theme
---@param width integer
function Table:take(out, theme, width)
  if not self.is_open or self.is_begun or self.count >= MEASURED_ROWS then
    write_all(self, out, theme, width)
  end
end

--- Renders the rows that were not taken.
---@param out string[]
---@param theme panto.tui.Theme
---@param width integer
function Table:render(out, theme, width)
  local copy = self:copy()
  write_all(copy, out, theme, width)
end

return markdown_table
