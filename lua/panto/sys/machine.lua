-- What the machine has: free disk space and processors.

local uv = require("luv")

local machine = {}

--- Returns how many bytes an ordinary user may still write below a folder.
---@param folder string
---@return integer? bytes nil when the system does not say
function machine.free_bytes(folder)
  local stat = uv.fs_statfs(folder)
  return stat and math.tointeger(stat.bsize * stat.bavail)
end

--- Returns how many programs run at once here.
---@return integer
function machine.processors()
  return math.max(1, uv.available_parallelism())
end

return machine
