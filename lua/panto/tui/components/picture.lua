-- Turns an image of a tool's result into a line that tells of it and, where it can be, the image.

local facts = require("panto.tui.images.facts")
local text = require("panto.sys.text")

local picture = {}

local Picture = {}
Picture.__index = Picture

---@class panto.tui.PictureOptions
---@field image { media_type: string, data: string } data is base64
---@field theme panto.tui.Theme
---@field images panto.tui.Images? without it an image is a line of text
---@field indent integer? columns before it (default 0)

---@class panto.tui.Picture
---@field facts panto.tui.ImageFacts

--- Makes the component.
---@param options panto.tui.PictureOptions
---@return panto.tui.Picture
function picture.new(options)
  return setmetatable({
    facts = facts.read(options.image),
    theme = options.theme,
    images = options.images,
    indent = options.indent or 0,
  }, Picture)
end

local function with_caption(self, width, rows)
  local line = text.cut(facts.line(self.facts), math.max(0, width - self.indent))
  local caption = (" "):rep(self.indent) .. self.theme:paint("muted", line)
  return table.move(rows, 1, #rows, 2, { caption })
end

--- Renders it while it may be drawn again.
---@param width integer
---@return string[]
function Picture:render(width)
  local rows = self.images and self.images:live_rows(self.facts, width, self.indent) or {}
  return with_caption(self, width, rows)
end

--- Renders it for the scrollback, where it is drawn once.
---@param width integer
---@return string[]
function Picture:take(width)
  local rows = self.images and self.images:final_rows(self.facts, width, self.indent) or {}
  return with_caption(self, width, rows)
end

return picture
