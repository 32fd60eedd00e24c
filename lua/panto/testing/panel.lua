-- A screen that is a list of lines: what is finished, and below it what is live.

local ansi = require("panto.base.ansi")
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")

---@class panto.Panel
---@field cols integer
---@field rows integer
---@field finished string[]
---@field live string[]
local Panel = {}
Panel.__index = Panel

local panel = {}

--- Makes the panel; it takes what panto's own screen takes.
---@param options { cols: integer, rows: integer }
---@return panto.Panel
function panel.new(options)
  local size = { cols = options.cols, rows = options.rows, finished = {}, live = {} }
  return setmetatable(size, Panel)
end

--- Takes finished lines.
---@param lines string[]
function Panel:append(lines)
  table.move(lines, 1, #lines, #self.finished + 1, self.finished)
end

--- Takes the live lines in the place of the former ones.
---@param lines string[]
---@param cursor panto.tui.Cursor?
function Panel:draw(lines, cursor)
  self.live, self.cursor = lines, cursor
end

--- Takes another size.
---@param cols integer
---@param rows integer
function Panel:resize(cols, rows)
  self.cols, self.rows = cols, rows
end

--- Does nothing: no other program ever has this screen.
function Panel:invalidate() end

Panel.suspend, Panel.resume, Panel.close = Panel.invalidate, Panel.invalidate, Panel.invalidate

local function add(rows, line, cols)
  for _, row in ipairs(text.wrap(plain.line(line), cols)) do
    rows[#rows + 1] = (ansi.strip(row):gsub("%s+$", ""))
  end
end

--- Returns all rows as one sees them, without styles and blanks at their ends.
---@return string[]
function Panel:lines()
  local rows = {}
  for _, line in ipairs(self.finished) do
    add(rows, line, self.cols)
  end
  for _, line in ipairs(self.live) do
    add(rows, text.cut(plain.line(line), self.cols), self.cols)
  end
  return rows
end

return panel
