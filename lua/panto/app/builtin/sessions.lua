-- /sessions: goes on with another session of this folder, chosen from a list or by its id.

local dialog = require("panto.app.dialog")
local env = require("panto.sys.env")
local find = require("panto.session.find")
local index = require("panto.session.index")
local resume = require("panto.app.resume")
local resumed = require("panto.app.resumed")
local short_id = require("panto.session.short_id")

local ROW = "%s  %s  %4d messages  %s"

local function choices(app)
  local list = index.list(env.path("sessions"), app.setup.cwd)
  local _, length = short_id.all(list)
  local items = {}
  for _, one in ipairs(list) do
    if one.id ~= app.conversation.log.id then
      local created = one.created:sub(1, 16):gsub("T", " ")
      items[#items + 1] = {
        label = ROW:format(one.id:sub(1, length), created, one.messages, one.first_text or ""),
        value = one.path,
      }
    end
  end
  return items
end

local function choose(app, args)
  if args ~= "" then
    local path, message = find.here(env.path("sessions"), app.setup.cwd, args)
    if not path then
      app:tell("error", message)
    end
    return path
  end
  local items = choices(app)
  if not items[1] then
    app:tell("info", "There is no other session of this folder.")
    return nil
  end
  return dialog.select(app.view, { title = "Sessions", items = items })
end

local function open(app, path)
  local log, message, is_locked = resume.open_path(path)
  if is_locked and dialog.confirm(app.view, message .. ". Go on with a copy of it?") then
    log, message = resume.fork(path, app.setup.cwd)
  elseif is_locked then
    return nil
  end
  if not log then
    app:tell("error", message)
  end
  return log
end

--- Goes on with another session, once the user has chosen one.
---@param app panto.App
---@param args string the beginning of an id, or nothing
local function run(app, args)
  if app.turns.running then
    app:tell("warning", "A turn is running: stop it with Esc, then choose a session.")
    return
  end
  local path = choose(app, args)
  if not path or path == app.conversation.log.path then
    return
  end
  local log = open(app, path)
  if log and app.turns.running then
    log:close()
    app:tell("warning", "A turn has begun meanwhile; the session was not changed.")
  elseif log then
    resumed.switch(app, log)
  end
end

---@type panto.Builtin
return { name = "sessions", description = "Go on with another session.", run = run }
