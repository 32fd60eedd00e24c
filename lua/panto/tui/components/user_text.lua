-- Turns a prompt that was sent into lines marked as the user's.
local cache = require("panto.tui.cache")
local text_component = require("panto.tui.components.text")

local user_text = {}

local UserText = {}
UserText.__index = UserText

---@class panto.tui.UserTextOptions
---@field text string
---@field theme panto.tui.Theme
---@field note string? a muted word behind it, as "queued"

---@class panto.tui.UserText
---@field text string

--- Makes the component.
---@param options panto.tui.UserTextOptions
---@return panto.tui.UserText
function user_text.new(options)
  return setmetatable({
    text = options.text,
    theme = options.theme,
    note = options.note,
    cache = cache.new(),
  }, UserText)
end

--- Renders the prompt, wrapped under its mark.
---@param width integer
---@return string[]
function UserText:render(width)
  local lines = self.cache:get(width, function()
    local mark = self.theme:paint("user", "› ")
    local body = text_component.new({
      text = self.text:gsub("%s+$", ""),
      theme = self.theme,
      style = "user",
      first = mark,
      indent = "  ",
    })
    local rows = body:render(width)
    if self.note then
      rows[#rows + 1] = "  " .. self.theme:paint("muted", self.note)
    end
    return rows
  end)
  return table.move(lines, 1, #lines, 1, {})
end

--- Returns how many leading lines are final: all of them.
---@param width integer
---@return integer
function UserText:settled(width)
  return #self:render(width)
end

return user_text
