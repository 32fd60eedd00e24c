-- Random bytes of the operating system.

local uv = require("luv")

local random = {}

--- Returns `n` random bytes.
---@param n integer
---@return string
function random.bytes(n)
  return assert(uv.random(n))
end

return random
