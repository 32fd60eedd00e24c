-- Problems nobody asked for (a lost task's error, a crash) go to the log file of the state home.

local clock = require("panto.sys.clock")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")

local log_file = {}

--- Returns the log's path.
---@return string
function log_file.path()
  return fs.join(env.path("state_home"), "panto.log")
end

--- Appends a problem with its time; a log that can't be written is not an error.
---@param text string
function log_file.write(text)
  if not fs.mkdir(env.path("state_home"), 448) then
    return
  end
  local file = fs.append_open(log_file.path())
  if file then
    file:write(("%s %s\n"):format(clock.iso(clock.now_ms()), text))
    file:close()
  end
end

return log_file
