-- Turns Markdown that streams in into painted rows; what is finished is taken and never drawn again.
local blocks = require("panto.tui.markdown.blocks")
local plain = require("panto.tui.plain")

local markdown = {}

local Markdown = {}
Markdown.__index = Markdown

---@class panto.tui.MarkdownOptions
---@field theme panto.tui.Theme
---@field text string? the whole text, which is then finished

---@class panto.tui.Markdown
---@field fresh string[] pieces that were not looked at yet
---@field ready string[] rows that are final at `width` and were not taken
---@field is_finished boolean

--- Makes the component; text given here is finished, without it `add` and `finish` follow.
---@param options panto.tui.MarkdownOptions
---@return panto.tui.Markdown
function markdown.new(options)
  local self = setmetatable({
    theme = options.theme,
    stream = plain.stream(),
    scanner = blocks.new(),
    fresh = {},
    is_finished = false,
  }, Markdown)
  self.scanner.has_marks = options.theme.depth == "none"
  if options.text then
    self:add(options.text)
    self:finish()
  end
  return self
end

--- Adds a piece of text.
---@param delta string
function Markdown:add(delta)
  self.fresh[#self.fresh + 1] = delta
  self.width = nil
end

local function scan(self)
  if #self.fresh > 0 then
    local piece = self.stream:feed(table.concat(self.fresh))
    self.fresh = {}
    self.scanner:feed(piece)
  end
end

--- Says that nothing more will come: all rows are final.
function Markdown:finish()
  if self.is_finished then
    return
  end
  scan(self)
  self.scanner:feed(self.stream:finish())
  self.scanner:finish()
  self.is_finished, self.width = true, nil
end

--- Renders all rows that were not taken.
---@param width integer
---@return string[]
function Markdown:render(width)
  scan(self)
  if self.width ~= width then
    local out = {}
    for _, leaf in ipairs(self.scanner.done) do
      leaf:render(out, self.theme, width)
    end
    for _, leaf in ipairs(self.scanner:peek()) do
      leaf:render(out, self.theme, width)
    end
    self.width, self.rows = width, out
  end
  return table.move(self.rows, 1, #self.rows, 1, {})
end

--- Returns how many of the leading rows can not change any more, whatever is added.
---@param width integer
---@return integer
function Markdown:settled(width)
  scan(self)
  local out = {}
  for _, leaf in ipairs(self.scanner.done) do
    leaf:render(out, self.theme, width)
  end
  if self.scanner.leaf then
    self.scanner.leaf:copy():take(out, self.theme, width)
  end
  return #out
end

--- Takes the settled rows out for the scrollback; `render` goes on after them.
---@param width integer
---@return string[]
function Markdown:take(width)
  scan(self)
  local out, scanner = {}, self.scanner
  for _, leaf in ipairs(scanner.done) do
    leaf:take(out, self.theme, width)
  end
  scanner.done = {}
  if scanner.leaf then
    scanner.leaf:take(out, self.theme, width)
  end
  if #out > 0 then
    self.width = nil
  end
  return out
end

--- Tells whether no row is left to draw.
---@return boolean
function Markdown:is_empty()
  scan(self)
  return #self.scanner.done == 0 and self.scanner.leaf == nil and self.scanner.partial == ""
end

return markdown
