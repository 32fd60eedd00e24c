-- `panto update`: makes the configuration's list of rocks true.

local boot = require("panto.app.boot")
local fs = require("panto.sys.fs")
local rocks_update = require("panto.app.rocks_update")
local task = require("panto.sys.task")
local usage = require("panto.cli.usage")

local update = {}

local function say(line)
  io.stderr:write("panto update: ", line, "\n")
end

local function bring(list)
  local results, message = rocks_update.run(list, say)
  if message then
    say(message)
    return 1
  end
  local code = 0
  for _, result in ipairs(results) do
    if result.message then
      say(result.message)
      code = 1
    else
      io.stdout:write(result.text, "\n")
    end
  end
  return code
end

--- Runs the update with its words.
---@param words string[]
---@return integer exit_code
function update.run(words)
  if words[1] then
    return usage.refuse(("update takes no words, found %q"):format(words[1]), "panto update")
  end
  local config, message = boot.read_config(fs.cwd())
  if not config then
    io.stderr:write("panto: ", message, "\n")
    return 2
  end
  for _, warning in ipairs(config.warnings) do
    say(warning)
  end
  local list = config.extensions.rocks
  if #list == 0 then
    io.stdout:write("[extensions] rocks lists nothing to install\n")
    return 0
  end
  return task.loop(bring, list)
end

return update
