-- What a turn tells the world outside its window: the title, the progress mark, the bell.

local ansi = require("panto.base.ansi")
local clock = require("panto.sys.clock")
local path = require("panto.sys.path")

local LONG_MS = 10000

---@class panto.Attention
---@field is_away boolean the terminal said that another window has the keys
---@field started_ms number? when the running turn began
local Attention = {}
Attention.__index = Attention

local attention = {}

--- Makes it for an app, whose terminal is open, and follows the turns.
---@param app panto.App
---@return panto.Attention
function attention.new(app)
  local self = setmetatable({
    app = app,
    is_away = false,
    has_bell = app.setup.config.tui.bell ~= false,
    folder = ansi.clean(path.basename(app.setup.cwd)):gsub("%c", " "),
  }, Attention)
  local owner = { entry = "panto", source = "app/attention.lua" }
  app.setup.bus:on("turn_start", function()
    self.started_ms = clock.mono_ms()
    self:show()
  end, owner)
  app.setup.bus:on("turn_end", function()
    self:finish()
  end, owner)
  self:show()
  return self
end

--- Writes title and progress as they are now; after the terminal was lent, too.
function Attention:show()
  local modes, is_busy = self.app.modes, self.started_ms ~= nil
  local title = (is_busy and "… " or "") .. "panto · " .. self.folder
  self:write(modes:title(title) .. modes:progress(is_busy))
end

--- Writes bytes, unless the terminal is another program's now.
---@param bytes string
function Attention:write(bytes)
  if bytes ~= "" and not self.app.screen.is_suspended then
    self.app.term:write(bytes)
  end
end

--- A turn has ended: the bell rings when it was long and nobody looks.
function Attention:finish()
  local started = self.started_ms
  self.started_ms = nil
  self:show()
  local is_long = started and clock.mono_ms() - started >= LONG_MS
  if is_long and self.is_away and self.has_bell then
    self:write("\a")
  end
end

--- Takes what the terminal says of its focus.
---@param has_focus boolean
function Attention:set_focused(has_focus)
  self.is_away = not has_focus
end

return attention
