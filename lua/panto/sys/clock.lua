-- Wall and monotonic time in milliseconds, and dates in UTC.

local uv = require("luv")

local clock = {}

--- Returns milliseconds since 1970 in UTC.
---@return integer
function clock.now_ms()
  local seconds, micros = uv.gettimeofday()
  return seconds * 1000 + micros // 1000
end

--- Returns milliseconds of a clock that never jumps, with a fraction.
---@return number
function clock.mono_ms()
  return uv.hrtime() / 1e6
end

--- Formats a time as ISO 8601 in UTC with milliseconds.
---@param ms integer milliseconds since 1970
---@return string
function clock.iso(ms)
  return os.date("!%Y-%m-%dT%H:%M:%S", ms // 1000) .. ("." .. ("%03d"):format(ms % 1000)) .. "Z"
end

return clock
