-- Words of a command line that do not fit: the message on stderr and the exit code for wrong usage.

local nearest = require("panto.base.nearest")

local usage = {}

--- Says what is wrong with a subcommand's words; the caller returns the code.
---@param message string
---@param expected string how the command is written
---@return integer exit_code 2
function usage.refuse(message, expected)
  io.stderr:write("panto: ", message, "\n  usage: ", expected, "\n")
  return 2
end

--- Names the nearest known word: ` (did you mean "x"?)`, or nothing.
---@param word string
---@param known string[]
---@return string
function usage.suggest(word, known)
  local found = nearest.find(word, known, 1)[1]
  return found and (' (did you mean "%s"?)'):format(found) or ""
end

return usage
