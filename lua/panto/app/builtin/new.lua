-- /new: begins a new session without leaving; the old one stays to be resumed.

local resumed = require("panto.app.resumed")
local short_id = require("panto.session.short_id")

--- Begins a new session.
---@param app panto.App
local function run(app)
  if app.turns.running then
    app:tell("warning", "A turn is running: stop it with Esc, then begin a new session.")
    return
  end
  local old = app.conversation
  resumed.switch(app, nil)
  local text = "A new session."
  if old.started and old.log:is_saved() then
    text = text .. (" /sessions goes back to %s."):format(short_id.of(old.log.path))
  end
  app:tell("info", text)
end

---@type panto.Builtin
return { name = "new", description = "Begin a new session.", run = run }
