-- `panto auth status|login|logout`: what the configured sessions can do.

local boot = require("panto.app.boot")
local fs = require("panto.sys.fs")
local login = require("panto.auth.login")
local resolve = require("panto.auth.resolve")
local signal = require("panto.sys.signal")
local task = require("panto.sys.task")
local usage = require("panto.cli.usage")

local auth = {}

local USAGE = "panto auth [status | login <name> | logout <name>]"
local INTERRUPTED = 130

local function sorted_names(config)
  local names = {}
  for name in pairs(config.auth) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

local function fail(message)
  io.stderr:write("panto: ", message, "\n")
  return 1
end

local actions = {}

function actions.status(config)
  local names = sorted_names(config)
  for _, name in ipairs(names) do
    io.write(("%s: %s\n"):format(name, resolve.status(config, name)))
  end
  if not names[1] then
    io.write("no auth sessions are configured\n")
    return 0
  end
  local _, message = resolve.access(config, names[1]).store:read()
  return message and fail(message) or 0
end

local function show(prompt)
  io.write(login.text(prompt), "\n")
  io.stdout:flush()
  io.stderr:write("waiting for the login (Ctrl+C cancels)\n")
end

local function log_in(config, name)
  local record, message, is_stored, note = login.run(resolve.access(config, name), show)
  if note then
    io.stderr:write("panto: ", note, "\n")
  end
  if is_stored then
    io.write(("logged in to '%s'\n"):format(name))
  end
  return record and 0 or fail(message)
end

-- Runs an action that waits; Ctrl+C ends it where it waits.
local function run_waiting(action, config, name)
  return task.loop(function()
    local work = task.run(action, config, name)
    local off = signal.on("sigint", function()
      task.cancel(work)
    end)
    task.join(work)
    off()
    if task.is_cancelled(work.err) then
      io.stderr:write("\npanto: cancelled\n")
      return INTERRUPTED
    end
    return task.await(work)
  end)
end

function actions.login(config, name)
  if config.auth[name].type == "api_key" then
    io.write(("'%s' is an api_key session; nothing to log in to\n"):format(name))
    return 0
  end
  return run_waiting(log_in, config, name)
end

local function log_out(config, name)
  local store = resolve.access(config, name).store
  local held <close>, message = store:open()
  if not held then
    return fail(message)
  elseif held.note then
    io.stderr:write("panto: ", held.note, "\n")
  end
  if held.entries[name] == nil then
    io.write(("no stored token for '%s'\n"):format(name))
    return 0
  end
  local written
  written, message = held:set(name, nil)
  if not written then
    return fail(message)
  end
  io.write(("logged out of '%s'\n"):format(name))
  return 0
end

function actions.logout(config, name)
  return run_waiting(log_out, config, name)
end

--- Runs an auth command with its words.
---@param words string[]
---@return integer exit_code
function auth.run(words)
  local action, name = words[1] or "status", words[2]
  if not actions[action] then
    local hint = usage.suggest(action, { "status", "login", "logout" })
    return usage.refuse(("auth does not know %q%s"):format(action, hint), USAGE)
  elseif #words > (action == "status" and 1 or 2) then
    return usage.refuse("too many words", USAGE)
  elseif action ~= "status" and not name then
    return usage.refuse(("auth %s needs the name of a session"):format(action), USAGE)
  end
  local config, message = boot.read_config(fs.cwd())
  if not config then
    io.stderr:write("panto: ", message, "\n")
    return 2
  elseif name and not config.auth[name] then
    local hint = usage.suggest(name, sorted_names(config))
    return usage.refuse(("there is no auth session %q%s"):format(name, hint), USAGE)
  end
  return actions[action](config, name)
end

return auth
