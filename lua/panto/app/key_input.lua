-- Events of the terminal to whom they belong: panto itself, an extension's key, the focus, the view.

local actions = require("panto.app.actions")
local commands = require("panto.app.commands")
local key_event = require("panto.tui.key_event")
local resizing = require("panto.app.resizing")
local task = require("panto.sys.task")

local key_input = {}

local function take_reply(app, event)
  local bytes = app.modes:reply(event)
  if bytes then
    app.term:write(bytes)
    app.term:on_restore(app.modes:stop())
  elseif event.name == "background" then
    app.theme:set_background(event.red, event.green, event.blue)
  elseif event.name == "cursor" then
    resizing.answer(app, event.row)
  end
end

-- A key that an extension has bound; an overlay has all keys for itself.
local function run_key(app, event)
  local name = event.type == "key" and key_event.name(event)
  local key = name and not app.view:has_overlay() and app.setup.registry:get_key(name)
  if key then
    task.run(commands.call, key, "the key " .. name, app.teller, key.handler)
  end
  return key ~= nil and key ~= false
end

--- Takes one event.
---@param app panto.App
---@param event table
function key_input.take(app, event)
  if event.type == "reply" then
    take_reply(app, event)
    return
  elseif event.type == "focus" then
    app.attention:set_focused(event.gained)
  end
  local action
  if not run_key(app, event) and not (not app.view:has_overlay() and app.focus:handle(event)) then
    action = app.view:handle(event)
  end
  if not (action and action.cancel) then
    actions.disarm(app)
  end
  if action then
    actions.run(app, action)
  end
end

return key_input
