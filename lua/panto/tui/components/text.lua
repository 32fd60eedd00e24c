-- Turns text that streams in into wrapped lines; a piece costs the same however long the text is.
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")

local text_component = {}

local Text = {}
Text.__index = Text

---@class panto.tui.TextOptions
---@field text string? the text to begin with
---@field theme panto.tui.Theme?
---@field style string? name of the style of all lines
---@field indent string? what every line begins with
---@field first string? what the very first line begins with instead

---@class panto.tui.Text
---@field source string[] clean pieces that were not taken yet, for wrapping anew
---@field lines string[] rows that can not change any more at `width`
---@field open string the rest of the text, which the next piece goes on with

--- Makes the component; text given here is finished, without it `add` and `finish` follow.
---@param options panto.tui.TextOptions?
---@return panto.tui.Text
function text_component.new(options)
  options = options or {}
  local self = setmetatable({
    theme = options.theme,
    style = options.style,
    indent = options.indent or "",
    first = options.first,
    stream = plain.stream(),
    source = {},
    width = nil,
    lines = {},
    fresh = {},
    open = "",
    is_finished = false,
    is_begun = false,
    was_begun = false,
  }, Text)
  if options.text then
    self:add(options.text)
    self:finish()
  end
  return self
end

--- Adds a piece of text.
---@param delta string
function Text:add(delta)
  local piece = self.stream:feed(delta)
  if piece ~= "" then
    self.source[#self.source + 1] = piece
    self.fresh[#self.fresh + 1] = piece
  end
end

--- Says that nothing more will come: all lines are settled.
function Text:finish()
  local piece = self.stream:finish()
  self.source[#self.source + 1] = piece
  self.fresh[#self.fresh + 1] = piece
  self.is_finished = true
end

local function inner_width(self, width)
  return math.max(1, width - text.width(self.indent))
end

local function dress(self, row)
  local lead = self.indent
  if self.first and not self.is_begun then
    lead = self.first
  end
  self.is_begun = true
  if self.theme then
    row = self.theme:paint(self.style, row)
  end
  return lead .. row
end

-- Moves the rows of `open` that are final into `lines` and keeps the last one open.
local function settle_open(self, width, ends)
  local starts, stops = text.spans(self.open, width)
  local count = ends and #starts or #starts - 1
  for row = 1, count do
    self.lines[#self.lines + 1] = dress(self, self.open:sub(starts[row], stops[row]))
  end
  self.open = ends and "" or self.open:sub(starts[#starts])
end

-- Wraps what came since the last time.
local function flow(self, width)
  if self.width ~= width then
    self.width, self.lines, self.open = width, {}, ""
    self.fresh, self.source = { table.concat(self.source) }, {}
    self.source[1] = self.fresh[1]
    self.is_begun = self.was_begun
  end
  local piece = table.concat(self.fresh)
  self.fresh = {}
  local columns, i = inner_width(self, width), 1
  while i <= #piece do
    local stop = piece:find("\n", i, true)
    self.open = self.open .. piece:sub(i, (stop or #piece + 1) - 1)
    settle_open(self, columns, stop ~= nil)
    i = (stop or #piece) + 1
  end
end

-- The row that may still change, drawn; nil when there is none.
local function open_row(self)
  if self.open == "" then
    return nil
  end
  local begun = self.is_begun
  local starts, stops = text.spans(self.open, inner_width(self, self.width))
  local row = dress(self, self.open:sub(starts[1], stops[1]))
  self.is_begun = begun
  return row
end

--- Renders all lines that were not taken.
---@param width integer
---@return string[]
function Text:render(width)
  flow(self, width)
  local lines = table.move(self.lines, 1, #self.lines, 1, {})
  lines[#lines + 1] = open_row(self)
  return lines
end

--- Returns how many of the leading lines can not change any more, whatever is added.
---@param width integer
---@return integer
function Text:settled(width)
  flow(self, width)
  return #self.lines + (self.is_finished and self.open ~= "" and 1 or 0)
end

--- Takes the settled lines out for the scrollback; `render` goes on after them.
---@param width integer
---@return string[] lines
function Text:take(width)
  flow(self, width)
  local lines = self.lines
  if self.is_finished then
    lines[#lines + 1] = open_row(self)
    self.open = ""
  end
  if #lines == 0 then
    return lines
  end
  self.lines, self.source, self.fresh = {}, { self.open }, {}
  self.is_begun = self.is_begun or #lines > 0
  self.was_begun = self.is_begun
  return lines
end

--- Tells whether no line is left to draw.
---@return boolean
function Text:is_empty()
  return #self.lines == 0 and self.open == "" and #self.fresh == 0
end

return text_component
