-- Turns the model's thinking into one line that shows where it is, or into all of it.
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")
local text_component = require("panto.tui.components.text")

local thinking = {}

local Thinking = {}
Thinking.__index = Thinking

local TAIL_BYTES = 400

---@class panto.tui.ThinkingOptions
---@field theme panto.tui.Theme
---@field is_expanded boolean?

---@class panto.tui.Thinking
---@field pieces string[]
---@field is_expanded boolean
---@field is_finished boolean

--- Makes the component.
---@param options panto.tui.ThinkingOptions
---@return panto.tui.Thinking
function thinking.new(options)
  return setmetatable({
    theme = options.theme,
    is_expanded = options.is_expanded or false,
    is_finished = false,
    pieces = {},
    tail = "",
    breaks = 0,
    body = nil,
  }, Thinking)
end

--- Adds a piece of thinking.
---@param delta string
function Thinking:add(delta)
  self.pieces[#self.pieces + 1] = delta
  self.tail = (self.tail .. delta):sub(-TAIL_BYTES)
  local _, breaks = delta:gsub("\n", "")
  self.breaks = self.breaks + breaks
  if self.body then
    self.body:add(delta)
  end
end

--- Says that nothing more will come.
function Thinking:finish()
  self.is_finished = true
  if self.body then
    self.body:finish()
  end
end

--- Shows all of the thinking, or one line.
---@param is_expanded boolean
function Thinking:set_expanded(is_expanded)
  self.is_expanded = is_expanded
end

--- Tells whether it stands folded and finished.
---@return boolean
function Thinking:is_folded()
  return self.is_finished and not self.is_expanded
end

local function expanded_body(self)
  if not self.body then
    self.body = text_component.new({ theme = self.theme, style = "thinking", indent = "  " })
    self.body:add(table.concat(self.pieces))
    if self.is_finished then
      self.body:finish()
    end
  end
  return self.body
end

local function collapsed_line(self, width)
  local head
  if self.is_finished then
    local count = self.breaks + 1
    head = "∴ Thought · "
      .. count
      .. (count == 1 and " line" or " lines")
      .. " (ctrl+t shows it)"
  else
    local last = plain.clean(self.tail):match("([^\n]+)%s*$") or ""
    local room = math.max(0, width - 13)
    while text.width(last) > room and last ~= "" do
      last = last:match("^%S*%s+(.+)$") or text.cut(last, room)
    end
    head = "∴ Thinking… " .. last
  end
  return self.theme:paint("thinking", (text.cut(head, width)))
end

--- Renders the thinking.
---@param width integer
---@return string[]
function Thinking:render(width)
  if not self.is_expanded then
    return { collapsed_line(self, width) }
  end
  local lines = expanded_body(self):render(width)
  table.insert(lines, 1, self.theme:paint("thinking", (text.cut("∴ Thinking", width))))
  return lines
end

--- Returns how many leading lines are final.
---@param width integer
---@return integer
function Thinking:settled(width)
  if not self.is_expanded then
    return self.is_finished and 1 or 0
  end
  return 1 + expanded_body(self):settled(width)
end

return thinking
