-- [tui] mode = "plain": which screen and colours, and the footer as a line behind each turn.

local plain_screen = require("panto.tui.plain_screen")
local screen = require("panto.tui.screen")
local status = require("panto.app.status")

local plain_mode = {}

--- Tells whether a setup wants the plain mode.
---@param setup panto.Setup
---@return boolean
function plain_mode.is_on(setup)
  return setup.config.tui.mode == "plain"
end

--- Returns the kind of screen that a setup wants.
---@param setup panto.Setup
---@return table
function plain_mode.screen(setup)
  return plain_mode.is_on(setup) and plain_screen or screen
end

--- Returns the theme that a setup wants; a screen reader gets no colours.
---@param setup panto.Setup
---@return string?
function plain_mode.theme(setup)
  return plain_mode.is_on(setup) and "none" or setup.config.tui.theme
end

local function footer(app)
  local words = {}
  for _, side in ipairs({ status.pieces(app.setup, app.conversation.totals, app.branch) }) do
    for _, piece in ipairs(side) do
      words[#words + 1] = piece.text ~= "" and piece.text or nil
    end
  end
  return table.concat(words, ", ")
end

--- Begins to say the footer behind each turn, where the mode is on.
---@param app panto.App
function plain_mode.watch(app)
  if not plain_mode.is_on(app.setup) then
    return
  end
  app.view.is_plain = true
  app.setup.bus:on("turn_end", function()
    app:tell("info", footer(app))
  end, { entry = "panto", source = "app/plain_mode.lua" })
end

return plain_mode
