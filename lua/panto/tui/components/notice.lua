-- Turns a message of panto itself (information, warning, error) into lines.
local cache = require("panto.tui.cache")
local text_component = require("panto.tui.components.text")

local notice = {}

local Notice = {}
Notice.__index = Notice

local MARKS = { info = "· ", warning = "! ", error = "✗ " }
local STYLES = { info = "muted", warning = "warning", error = "error" }

---@class panto.tui.NoticeOptions
---@field text string
---@field theme panto.tui.Theme
---@field level "info"|"warning"|"error"|nil default "info"

---@class panto.tui.Notice
---@field text string
---@field level string

--- Makes the component.
---@param options panto.tui.NoticeOptions
---@return panto.tui.Notice
function notice.new(options)
  local level = STYLES[options.level] and options.level or "info"
  return setmetatable({
    text = options.text,
    theme = options.theme,
    level = level,
    cache = cache.new(),
  }, Notice)
end

--- Renders the message, wrapped under its mark.
---@param width integer
---@return string[]
function Notice:render(width)
  local lines = self.cache:get(width, function()
    local style = STYLES[self.level]
    local body = text_component.new({
      text = self.text:gsub("%s+$", ""),
      theme = self.theme,
      style = style,
      first = self.theme:paint(style, MARKS[self.level]),
      indent = "  ",
    })
    return body:render(width)
  end)
  return table.move(lines, 1, #lines, 1, {})
end

--- Returns how many leading lines are final: all of them.
---@param width integer
---@return integer
function Notice:settled(width)
  return #self:render(width)
end

return notice
