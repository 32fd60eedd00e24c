-- A time and random bytes into a UUID of version 7, which sorts by time.

local uuid = {}

--- Writes a UUID of version 7 (RFC 9562).
---@param time_ms integer milliseconds since 1970
---@param random_bytes string 16 bytes, of which 10 are used
---@return string uuid 36 characters, lower case
function uuid.v7(time_ms, random_bytes)
  if #random_bytes < 16 then
    error("uuid.v7: expected 16 random bytes, got " .. #random_bytes, 2)
  end
  local first, second, last = string.unpack(">I2I2I6", random_bytes)
  return ("%08x-%04x-%04x-%04x-%012x"):format(
    time_ms >> 16 & 0xFFFFFFFF,
    time_ms & 0xFFFF,
    0x7000 | first & 0x0FFF,
    0x8000 | second & 0x3FFF,
    last
  )
end

return uuid
