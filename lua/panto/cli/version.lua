-- `panto --version`: the version on stdout.

local env = require("panto.sys.env")

local version = {}

--- Prints panto's version.
---@return integer exit_code
function version.run()
  io.write("panto ", env.version(), "\n")
  return 0
end

return version
