-- `panto sessions`: one line a session of this folder, newest first.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local index = require("panto.session.index")
local usage = require("panto.cli.usage")

local sessions = {}

--- Lists the sessions of the current folder on stdout.
---@param words string[]
---@return integer exit_code
function sessions.run(words)
  if words[1] then
    return usage.refuse(("sessions does not know %q"):format(words[1]), "panto sessions")
  end
  local cwd = fs.cwd()
  local list, message = index.list(env.path("sessions"), cwd)
  if not list then
    io.stderr:write("panto: ", message, "\n")
    return 1
  end
  for _, session in ipairs(list) do
    local created = session.created:sub(1, 16):gsub("T", " ")
    io.write(("%s %s %d messages\n"):format(session.id:sub(1, 8), created, session.messages))
  end
  if not list[1] then
    io.write("no sessions for ", cwd, "\n")
  end
  return 0
end

return sessions
