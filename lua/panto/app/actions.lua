-- What the keys do that are not the editor's own: send, stop, leave, suspend, fold.

local clock = require("panto.sys.clock")
local external_editor = require("panto.app.external_editor")
local history_search = require("panto.app.history_search")
local loan = require("panto.app.loan")
local prompt_history = require("panto.app.prompt_history")
local signal = require("panto.sys.signal")
local task = require("panto.sys.task")

local LEAVE_MS = 1000

local actions = {}

--- Says that another key came: the next Ctrl+C is a first one again.
---@param app panto.App
function actions.disarm(app)
  app.cancelled_ms = nil
end

local function send(app, text)
  prompt_history.add(text)
  app:submit(text)
end

-- A command is not for the model: it runs now.
local function follow(app, text)
  if text:sub(1, 1) == "/" then
    return send(app, text)
  end
  prompt_history.add(text)
  app.turns:follow(text)
end

local named = {}

function named.escape(app)
  app.turns:abort()
end

function named.take_back(app)
  local text = app.turns.queue:take_last()
  if text then
    local draft = app.view.draft
    draft:set(draft:is_empty() and text or text .. "\n" .. draft:text())
  end
end

function named.model_picker(app)
  app:submit("/model")
end

function named.effort_picker(app)
  app:submit("/effort")
end

function named.copy_answer(app)
  app:submit("/copy")
end

function named.new_session(app)
  app:submit("/new")
end

function named.show_help(app)
  app:submit("/help")
end

function named.external_editor(app)
  task.run(external_editor.run, app)
end

function named.history_search(app)
  task.run(history_search.run, app)
end

function named.suspend(app)
  loan.run(app, signal.raise, "sigstop")
end

function named.toggle_thinking(app)
  app.transcript:toggle_thinking()
end

function named.toggle_results(app)
  app.transcript:toggle_results()
end

-- Ctrl+C stops or clears first; the second within a second leaves, so does one at rest.
local function cancel(app)
  local now = clock.mono_ms()
  local again = app.cancelled_ms and now - app.cancelled_ms < LEAVE_MS
  app.cancelled_ms = now
  if again then
    return app:leave(0)
  elseif app.turns:abort() then
    return
  elseif app.view.draft:is_empty() then
    return app:leave(0)
  end
  app.view.draft:reset()
end

--- Carries out an action of the editor.
---@param app panto.App
---@param action table
function actions.run(app, action)
  if action.submit then
    send(app, action.submit)
  elseif action.follow_up then
    follow(app, action.follow_up)
  elseif action.cancel then
    cancel(app)
  elseif action.eof then
    app:leave(0)
  elseif named[action.action] then
    named[action.action](app)
  end
end

return actions
