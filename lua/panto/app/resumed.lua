-- An opened session onto the screen: what was noted about it, its last messages, its name.

local conversation = require("panto.app.conversation")
local env = require("panto.sys.env")

local resumed = {}

local REPLAYED_MESSAGES, SHOWN_AGAIN = 30, 4

local function replay(app, count)
  local messages = app.conversation.log:messages(count)
  local first = math.max(1, #messages - count + 1)
  app.transcript:replay(messages, first, function(wire)
    return app.setup.toolset:name_of(wire)
  end)
end

--- Shows the last messages of an app's conversation once more.
---@param app panto.App
function resumed.show_end(app)
  replay(app, SHOWN_AGAIN)
end

--- Shows the end of the session that an app's conversation goes on with.
---@param app panto.App
function resumed.show(app)
  local log = app.conversation.log
  for _, note in ipairs(log.notes) do
    app:tell("warning", note)
  end
  replay(app, REPLAYED_MESSAGES)
  local count, is_all = log:count(true)
  local text = is_all and "%d messages" or "more than %d messages"
  app:tell("info", ("resumed session %s (%s)"):format(log:short_id(), text:format(count)))
end

--- Makes a running app go on with another session.
---@param app panto.App
---@param log panto.session.Log? opened to go on; nil: a new session
function resumed.switch(app, log)
  app.setup.bus:emit("session_end", {})
  local old = app.conversation
  old:close()
  local new = conversation.new(app.setup, log)
  new.show_work = old.show_work
  app.conversation = new
  if log then
    resumed.show(app)
  end
  app.setup.bus:emit("session_start", {
    version = env.version(),
    cwd = app.setup.cwd,
    model = app.setup.choice and app.setup.choice.ref,
  })
end

return resumed
