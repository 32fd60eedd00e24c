-- Turns a component into the same between two rules, with a title in the upper one.
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")

local box = {}

local Box = {}
Box.__index = Box

---@class panto.tui.BoxOptions
---@field child panto.tui.Component
---@field theme panto.tui.Theme
---@field title string?
---@field style string? name of the style of the rules (default "rule")

---@class panto.tui.Box
---@field child panto.tui.Component
---@field title string?

--- Makes the box around a component.
---@param options panto.tui.BoxOptions
---@return panto.tui.Box
function box.new(options)
  return setmetatable({
    child = options.child,
    theme = options.theme,
    title = options.title,
    style = options.style or "rule",
  }, Box)
end

--- Hands an event to the component inside.
---@param event table
---@return table? action
function Box:handle(event)
  return self.child:handle(event)
end

local function top_rule(self, width)
  if not self.title or width < 8 then
    return self.theme:paint(self.style, ("─"):rep(width))
  end
  local title, columns = text.cut(plain.reveal(self.title), width - 6)
  local rest = ("─"):rep(width - columns - 4)
  return self.theme:paint(self.style, "── ")
    .. title
    .. self.theme:paint(self.style, " " .. rest)
end

--- Renders rule, component and rule.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor
function Box:render(width)
  local inner, cursor = self.child:render(width)
  local lines = { top_rule(self, width) }
  table.move(inner, 1, #inner, 2, lines)
  lines[#lines + 1] = self.theme:paint(self.style, ("─"):rep(width))
  return lines, cursor and { row = cursor.row + 1, col = cursor.col } or nil
end

return box
