-- Turns one tool call into lines: its title, its output while it runs, its result folded together.
local cache = require("panto.tui.cache")
local diff_lines = require("panto.tui.components.diff_lines")
local flow = require("panto.tui.markdown.flow")
local picture = require("panto.tui.components.picture")
local text = require("panto.sys.text")
local tool_result = require("panto.tui.components.tool_result")
local tool_title = require("panto.tui.components.tool_title")

local tool_row = {}

local ToolRow = {}
ToolRow.__index = ToolRow

local INDENT = "  "
local TAIL_BYTES = 8192
local DIFF_LINES, ERROR_LINES, ERROR_ROWS = 24, 10, 4

---@class panto.tui.ToolRowOptions
---@field theme panto.tui.Theme
---@field name string
---@field cwd string? what paths in the title are shown relative to
---@field input table|string|nil
---@field max_live integer? lines of live output (default 10)
---@field max_result integer? lines of a folded result (default 5)
---@field images panto.tui.Images? shows the images of a result, where the terminal can

---@class panto.tui.ToolRow
---@field status "running"|"ok"|"error"
---@field is_expanded boolean
---@field tail string the end of the live output, as it came

--- Makes the component of a call that runs.
---@param options panto.tui.ToolRowOptions
---@return panto.tui.ToolRow
function tool_row.new(options)
  return setmetatable({
    theme = options.theme,
    name = options.name,
    input = options.input,
    max_live = options.max_live or 10,
    max_result = options.max_result or 5,
    status = "running",
    is_expanded = false,
    tail = "",
    cwd = options.cwd,
    result = nil,
    images = options.images,
    pictures = {},
    is_cut = false,
    cache = cache.new(),
  }, ToolRow)
end

--- Sets the arguments that the title shows.
---@param input table|string|nil
function ToolRow:set_input(input)
  self.input = input
  self.cache:clear()
end

--- Adds a piece of live output; only its end is kept.
---@param delta string
function ToolRow:add_output(delta)
  local tail = self.tail .. delta
  if #tail > TAIL_BYTES then
    tail = tail:sub(-TAIL_BYTES)
    local stop = tail:find("\n", 1, true)
    tail = stop and tail:sub(stop + 1) or tail
  end
  self.tail = tail
  self.cache:clear()
end

--- Sets the result; the live output goes away.
---@param result panto.tui.ToolResult
function ToolRow:finish(result)
  self.status = result.is_error and "error" or "ok"
  self.result = tool_result.read(self.name, self.input, result)
  for index, image in ipairs(result.images or {}) do
    self.pictures[index] = picture.new({
      image = image,
      theme = self.theme,
      images = self.images,
      indent = #INDENT,
    })
  end
  self.tail = ""
  self.cache:clear()
end

--- Shows the whole result, or its first lines.
---@param is_expanded boolean
function ToolRow:set_expanded(is_expanded)
  self.is_expanded = is_expanded
  self.cache:clear()
end

-- A line that fits, or its beginning with a mark that there is more.
local function shorten(line, columns)
  if text.width(line) <= columns then
    return line
  end
  return (text.cut(line, math.max(0, columns - 1))) .. "…"
end

local MARK_STYLES = { running = "tool", ok = "ok", error = "error" }

local function title_line(self, width)
  local theme = self.theme
  local note = self.result and self.result.note
  local ending = note and " · " .. note or ""
  local line = theme:paint(MARK_STYLES[self.status], "● ") .. theme:paint("tool", self.name)
  local arguments = tool_title.arguments(self.input, self.cwd)
  if arguments ~= "" then
    line = line .. " " .. theme:paint("tool_arguments", arguments)
  end
  local room = math.max(1, width - text.width(ending))
  local style = self.status == "error" and "error" or "muted"
  return shorten(line, room) .. theme:paint(style, (text.cut(ending, width - 1)))
end

local function add_row(self, lines, row, style)
  lines[#lines + 1] = INDENT .. self.theme:paint(style, row)
end

-- A folded line is cut at the edge; one of a whole result or an error is wrapped.
local function add_line(self, lines, line, width, is_wrapped)
  local style = self.status == "error" and "error" or "output"
  if is_wrapped then
    local rows = text.wrap(line, width - #INDENT)
    local is_long = not self.is_expanded and #rows > ERROR_ROWS
    for index = 1, is_long and ERROR_ROWS or #rows do
      local row = text.cut(rows[index], width - #INDENT)
      if is_long and index == ERROR_ROWS then
        row = text.cut(row, width - #INDENT - 1) .. "…"
        self.is_cut = true
      end
      add_row(self, lines, row, style)
    end
    return
  end
  local row = shorten(line, width - #INDENT)
  self.is_cut = self.is_cut or row ~= line
  add_row(self, lines, row, style)
end

local function add_diff_line(self, lines, entry, width)
  local columns = width - #INDENT
  local rows = flow.code_rows(entry.text, self.is_expanded and columns or math.max(1, columns - 1))
  if self.is_expanded then
    for _, row in ipairs(rows) do
      lines[#lines + 1] = INDENT .. flow.paint(self.theme, entry, row[1], row[2])
    end
    return
  end
  local is_short = text.width(entry.text) <= columns
  local last = is_short and #entry.text or rows[1][2]
  self.is_cut = self.is_cut or not is_short
  lines[#lines + 1] = INDENT .. flow.paint(self.theme, entry, 1, last) .. (is_short and "" or "…")
end

local function add_live(self, lines, width)
  local tail = tool_result.split(self.tail)
  for index = math.max(1, #tail - self.max_live + 1), #tail do
    add_line(self, lines, tail[index], width, self.is_expanded)
  end
end

local function add_more(self, lines, count, words, width)
  if count > 0 then
    local more = ("… %d %s (ctrl+o shows them)"):format(count, words)
    lines[#lines + 1] = INDENT .. self.theme:paint("muted", shorten(more, width - #INDENT))
    self.is_cut = true
  end
end

-- How many lines are shown, and which is the first of them.
local function shown_lines(self)
  local result = self.result
  local total = #result.lines
  local limit = result.is_diff and DIFF_LINES or self.max_result
  if self.status == "error" then
    limit = math.max(limit, ERROR_LINES)
  end
  if self.is_expanded or total <= limit + 1 then
    return total, 1
  end
  return limit, result.from_end and total - limit + 1 or 1
end

local function add_result(self, lines, width)
  local result = self.result
  local count, first = shown_lines(self)
  local left = #result.lines - count
  local entries = result.is_diff and diff_lines.read(result.lines)
  add_more(self, lines, first - 1, first == 2 and "earlier line" or "earlier lines", width)
  for index = first, first + count - 1 do
    if entries then
      add_diff_line(self, lines, entries[index], width)
    else
      local is_wrapped = self.is_expanded or self.status == "error"
      add_line(self, lines, result.lines[index], width, is_wrapped)
    end
  end
  if first == 1 then
    add_more(self, lines, left, left == 1 and "more line" or "more lines", width)
  end
end

--- Tells whether the last rendering left something of the result out.
---@return boolean
function ToolRow:is_folded()
  return self.result ~= nil and self.is_cut
end

local function without_pictures(self, width)
  local kept = self.cache:get(width, function()
    self.is_cut = false
    local lines = { title_line(self, width) }
    if self.status == "running" then
      add_live(self, lines, width)
    else
      add_result(self, lines, width)
    end
    return lines
  end)
  return table.move(kept, 1, #kept, 1, {})
end

local function render(self, width, way)
  width = math.max(width, #INDENT + 1)
  local lines = without_pictures(self, width)
  for _, image in ipairs(self.pictures) do
    local rows = image[way](image, width)
    table.move(rows, 1, #rows, #lines + 1, lines)
  end
  return lines
end

--- Renders the call.
---@param width integer
---@return string[]
function ToolRow:render(width)
  return render(self, width, "render")
end

--- Takes the lines for the scrollback, in which images are drawn: none while it runs, then all.
---@param width integer
---@return string[]
function ToolRow:take(width)
  return self.status == "running" and {} or render(self, width, "take")
end

--- Returns how many leading lines are final: none while it runs, then all.
---@param width integer
---@return integer
function ToolRow:settled(width)
  return self.status == "running" and 0 or #self:render(width)
end

return tool_row
