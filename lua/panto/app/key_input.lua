-- Bytes of the terminal into events, and these to whom they belong: panto itself, an extension's key,
-- the focus, the view.

local actions = require("panto.app.actions")
local clock = require("panto.sys.clock")
local commands = require("panto.app.commands")
local http = require("panto.sys.http")
local key_event = require("panto.tui.key_event")
local keys_in = require("panto.app.keys_in")
local resizing = require("panto.app.resizing")
local task = require("panto.sys.task")

local START_MS = 1000 -- so long after the start its questions may be answered

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
  elseif event.name == "size" then
    resizing.take_size(app, event.rows, event.cols)
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
  if event.name == "cursor" and event.key and not resizing.is_asking(app) then
    event = event.key
  end
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

-- What keys have changed is seen at once; of an answer that streams what is due at its frame.
local function show(app)
  if app.transcript:is_streaming() then
    app.frame:echo()
    app.frame:mark()
  else
    app.frame:now()
  end
end

--- Returns what takes the terminal's bytes; nothing is drawn while a paste comes in.
---@param app panto.App
---@return fun(bytes: string)
function key_input.reader(app)
  local is_read, is_warm, started_ms = false, false, clock.mono_ms()
  local keyboard = keys_in.new(function(event)
    key_input.take(app, event)
    if not is_read then -- a lone Esc, known as one only after a while
      app.frame:mark()
    end
  end, function()
    return clock.mono_ms() - started_ms < START_MS or resizing.is_due(app)
  end)
  return function(bytes)
    is_read = true
    keyboard:feed(bytes)
    is_read = false
    if not keyboard:is_pasting() then
      show(app)
    end
    if not is_warm then -- a first key announces a first request; an unused panto stays small
      is_warm = true
      http.warm()
    end
  end
end

return key_input
