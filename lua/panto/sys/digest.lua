-- Bytes into their digest.

local host = require("panto.host")

local digest = {}

--- Returns the SHA-256 of bytes, as 64 hexadecimal digits.
---@param bytes string
---@return string
function digest.sha256(bytes)
  return host.sha256(bytes)
end

return digest
