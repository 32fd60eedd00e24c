-- `panto auth status|login|logout`: what the configured sessions can do.

local boot = require("panto.app.boot")
local fs = require("panto.sys.fs")
local resolve = require("panto.auth.resolve")
local usage = require("panto.cli.usage")

local auth = {}

local USAGE = "panto auth [status | login <name> | logout <name>]"

local function sorted_names(config)
  local names = {}
  for name in pairs(config.auth) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

local actions = {}

function actions.status(config)
  local names = sorted_names(config)
  for _, name in ipairs(names) do
    io.write(("%s: %s\n"):format(name, resolve.status(config, name)))
  end
  if not names[1] then
    io.write("no auth sessions are configured\n")
  end
  return 0
end

function actions.login(config, name)
  if config.auth[name].type == "api_key" then
    io.write(("'%s' is an api_key session; nothing to log in to\n"):format(name))
    return 0
  end
  io.stderr:write("panto: logging in by OAuth is not part of this version yet\n")
  return 1
end

function actions.logout(_, name)
  io.write(("no stored token for '%s'\n"):format(name))
  return 0
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
