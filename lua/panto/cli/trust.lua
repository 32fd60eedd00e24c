-- `panto trust [status|revoke]`: accepts, shows or forgets the .panto/ of this folder.

local fs = require("panto.sys.fs")
local trust = require("panto.app.trust")
local usage = require("panto.cli.usage")

local command = {}

local STATES = {
  none = "nothing to trust: there is no .panto here",
  trusted = "trusted",
  new = "not trusted",
  changed = "changed since it was trusted",
  refused = "cannot be trusted",
}

local run = {}

local function fail(message)
  io.stderr:write("panto: ", message, "\n")
  return 1
end

function run.accept(cwd)
  local read = trust.read(cwd)
  if read.state == "none" then
    print(STATES.none)
    return 0
  elseif read.state == "refused" then
    return fail(trust.warning(read))
  end
  local done, message = trust.add(read)
  if not done then
    return fail(message)
  end
  print(("trusted %s/.panto:\n%s"):format(read.folder, trust.describe(read)))
  return 0
end

function run.status(cwd)
  local read = trust.read(cwd)
  print(("%s/.panto: %s"):format(read.folder, STATES[read.state]))
  if read.found then
    print(trust.describe(read))
  end
  return 0
end

function run.revoke(cwd)
  local known, message = trust.remove(cwd)
  if message then
    return fail(message)
  end
  print(known and "forgotten: panto asks again" or "this folder was not trusted")
  return 0
end

--- Runs the command.
---@param words string[]
---@return integer exit_code
function command.run(words)
  local verb = words[1] or "accept"
  if not run[verb] or words[2] then
    local found = words[2] or verb
    return usage.refuse(("trust: unknown word %q"):format(found), "panto trust [status|revoke]")
  end
  return run[verb](fs.cwd())
end

return command
