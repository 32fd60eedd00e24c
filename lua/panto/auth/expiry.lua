-- The ways in which servers say when something expires into seconds since 1970.

local expiry = {}

local LEAST_DATE = 1e8 -- smaller numbers are a time to live
local LEAST_MILLIS = 1e11

-- Days since 1970-01-01 of a date in the Gregorian calendar.
local function days(year, month, day)
  year = month <= 2 and year - 1 or year
  local era = year // 400
  local of_era = year - era * 400
  local of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468
end

local function parse_iso(text)
  local year, month, day, hour, minute, second, rest =
    text:match("^(%d%d%d%d)-(%d%d)-(%d%d)[Tt ](%d%d):(%d%d):(%d%d)(.*)$")
  if not year then
    return nil
  end
  local at = days(year + 0, month + 0, day + 0) * 86400 + hour * 3600 + minute * 60 + second
  local sign, hours, minutes = rest:match("([+-])(%d%d):?(%d%d)$")
  if sign then
    local offset = hours * 3600 + minutes * 60
    at = sign == "+" and at - offset or at + offset
  end
  return at
end

--- Reads a number of seconds, also as a text; nil when it is none or negative.
---@param value any
---@return number?
function expiry.seconds(value)
  local number = (type(value) == "number" or type(value) == "string") and tonumber(value) or nil
  return number and number >= 0 and number < math.huge and number or nil
end

--- Reads an expiry: seconds or milliseconds since 1970, seconds from now, or an ISO date.
---@param value any
---@param now_s integer
---@return integer? seconds since 1970
function expiry.parse(value, now_s)
  local number = expiry.seconds(value)
  if not number then
    return type(value) == "string" and parse_iso(value) or nil
  elseif number < LEAST_DATE then
    return math.floor(now_s + number)
  end
  return math.floor(number < LEAST_MILLIS and number or number / 1000)
end

return expiry
