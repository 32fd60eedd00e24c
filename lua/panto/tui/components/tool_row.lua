-- Turns one tool call into lines: its title, its output while it runs, its result folded together.
local cache = require("panto.tui.cache")
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")
local tool_title = require("panto.tui.components.tool_title")

local tool_row = {}

local ToolRow = {}
ToolRow.__index = ToolRow

local INDENT = "  "
local TAIL_BYTES = 8192
local DIFF_LINES = 24

---@class panto.tui.ToolRowOptions
---@field theme panto.tui.Theme
---@field name string
---@field input table|string|nil
---@field max_live integer? lines of live output (default 10)
---@field max_result integer? lines of a folded result (default 5)

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
    output = nil,
    diff = nil,
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

---@class panto.tui.ToolResult
---@field output string
---@field is_error boolean?
---@field diff string? a unified diff to show instead of the output

--- Sets the result; the live output goes away.
---@param result panto.tui.ToolResult
function ToolRow:finish(result)
  self.status = result.is_error and "error" or "ok"
  self.output, self.diff, self.tail = result.output or "", result.diff, ""
  self.cache:clear()
end

--- Shows the whole result, or its first lines.
---@param is_expanded boolean
function ToolRow:set_expanded(is_expanded)
  self.is_expanded = is_expanded
  self.cache:clear()
end

local function split(s)
  local lines = {}
  for line in (s .. "\n"):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line
  end
  while #lines > 0 and not lines[#lines]:find("%S") do
    lines[#lines] = nil
  end
  return lines
end

local MARK_STYLES = { running = "tool", ok = "ok", error = "error" }

local function title_line(self, width)
  local theme = self.theme
  local line = theme:paint(MARK_STYLES[self.status], "● ") .. theme:paint("tool", self.name)
  local arguments = tool_title.arguments(self.input)
  if arguments ~= "" then
    line = line .. " " .. theme:paint("tool_arguments", arguments)
  end
  local cut, columns = text.cut(line, width - 1)
  return columns < text.width(line) and cut .. "…" or cut
end

local function diff_style(line)
  if line:find("^@@") then
    return "hunk"
  elseif line:find("^%+") then
    return "added"
  elseif line:find("^%-") then
    return "removed"
  end
  return "output"
end

local function add_painted(self, lines, line, width)
  local style = "output"
  if self.diff then
    style = diff_style(line)
  elseif self.status == "error" then
    style = "error"
  end
  local rows = { line }
  if self.is_expanded then
    rows = text.wrap(line, width - #INDENT)
  end
  for _, row in ipairs(rows) do
    local cut = text.cut(row, width - #INDENT)
    lines[#lines + 1] = INDENT .. self.theme:paint(style, cut)
  end
end

local function add_live(self, lines, width)
  local tail = split(plain.clean(self.tail))
  for index = math.max(1, #tail - self.max_live + 1), #tail do
    add_painted(self, lines, tail[index], width)
  end
end

local function add_result(self, lines, width)
  local result = split(plain.clean(self.diff or self.output))
  local limit = self.diff and DIFF_LINES or self.max_result
  local count = self.is_expanded and #result or math.min(#result, limit)
  if #result == count + 1 then
    count = #result
  end
  for index = 1, count do
    add_painted(self, lines, result[index], width)
  end
  if count < #result then
    local more = ("… %d more lines (ctrl+o shows them)"):format(#result - count)
    lines[#lines + 1] = INDENT .. self.theme:paint("muted", (text.cut(more, width - #INDENT)))
  end
end

--- Renders the call.
---@param width integer
---@return string[]
function ToolRow:render(width)
  width = math.max(width, #INDENT + 1)
  local kept = self.cache:get(width, function()
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

--- Returns how many leading lines are final: none while it runs, then all.
---@param width integer
---@return integer
function ToolRow:settled(width)
  return self.status == "running" and 0 or #self:render(width)
end

return tool_row
