-- The images of a setup's screen: none for a screen reader, without colours, or where config says so.

local env = require("panto.sys.env")
local graphics = require("panto.tui.images.graphics")
local images = require("panto.tui.images")
local plain_mode = require("panto.app.plain_mode")
local random = require("panto.sys.random")

local screen_images = {}

--- Makes what shows images; the terminal has yet to say how.
---@param setup panto.Setup
---@param theme panto.tui.Theme
---@return panto.tui.Images
function screen_images.new(setup, theme)
  local is_off = setup.config.tui.images == "off" or theme.depth == "none"
  return images.new({
    graphics = graphics.new(env.get, is_off or plain_mode.is_on(setup)),
    first_id = string.unpack("<I3", random.bytes(3)) + 1,
  })
end

return screen_images
