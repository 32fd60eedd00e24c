-- `panto tutor`: a tour of the real REPL, played by a script, without a key and offline.

local env = require("panto.sys.env")
local task = require("panto.sys.task")
local tutor = require("panto.app.tutor")
local usage = require("panto.cli.usage")

local command = {}

local function play()
  local code, message, dir = tutor.run()
  if message then
    io.stderr:write("panto: ", message, "\n")
  elseif dir then
    io.write("the tour's files are in ", dir, "\n")
  end
  return code
end

--- Plays the tour.
---@param words string[]
---@return integer exit_code
function command.run(words)
  if words[1] then
    return usage.refuse(("tutor takes no words, found %q"):format(words[1]), "panto tutor")
  elseif not (env.is_terminal(0) and env.is_terminal(1)) then
    io.stderr:write("panto: the tour requires an interactive terminal\n")
    return 2
  end
  return task.loop(play)
end

return command
