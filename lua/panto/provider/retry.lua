-- Decides whether a failed request is sent again, and after how many milliseconds.

local retry = {}

local FIRST_MS = 2000
local CAP_MS = 60000
local JITTER = 0.25
-- A server that asks for more than this is not waited for.
local LONGEST_MS = 600000

local RETRIED = {
  rate_limit = true,
  overloaded = true,
  server = true,
  transport = true,
  timeout = true,
  cut = true,
}
local MONTHS = { Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8 }
MONTHS.Sep, MONTHS.Oct, MONTHS.Nov, MONTHS.Dec = 9, 10, 11, 12

-- Days since 1970 of a date, without the local time zone that os.time brings in.
local function days_from_date(year, month, day)
  year = month <= 2 and year - 1 or year
  local era = year // 400
  local year_of_era = year - era * 400
  local day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
  local day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
  return era * 146097 + day_of_era - 719468
end

--- Returns an HTTP date as milliseconds since 1970, or nil.
---@param text string such as "Wed, 21 Oct 2026 07:28:00 GMT"
---@return integer?
function retry.decode_date(text)
  local day, name, year, hour, minute, second =
    text:match("^%a+, (%d+)[ -](%a%a%a)[ -](%d+) (%d+):(%d+):(%d+)")
  local month = name and MONTHS[name]
  if not month then
    return nil
  end
  year = math.tointeger(year) + (#year == 2 and 2000 or 0)
  local days = days_from_date(year, month, math.tointeger(day))
  return (days * 86400 + hour * 3600 + minute * 60 + second) * 1000
end

--- Returns how long the server asks to wait, or nil.
---@param headers table<string, string>? lower-case names
---@param now_ms integer
---@return integer?
function retry.asked_ms(headers, now_ms)
  local in_ms = tonumber(headers and headers["retry-after-ms"])
  local after = headers and headers["retry-after"]
  local ms = in_ms
  if not ms and after then
    local seconds = tonumber(after)
    local at = not seconds and retry.decode_date(after)
    ms = seconds and seconds * 1000 or at and at - now_ms
  end
  if not ms or ms ~= ms or ms < 0 or ms == math.huge then
    return ms and ms < 0 and 0 or nil
  end
  return math.ceil(ms)
end

--- Tells whether an error may go away by itself.
---@param err panto.ProviderError
---@return boolean
function retry.is_retried(err)
  return err.retry ~= false and RETRIED[err.kind] == true
end

--- Returns how long to wait before the next attempt, or nil when that is not worth it.
---@param attempt integer the one that failed, from 1
---@param headers table<string, string>?
---@param now_ms integer
---@param random fun(): number from 0 to 1
---@return integer?
function retry.delay_ms(attempt, headers, now_ms, random)
  local asked = retry.asked_ms(headers, now_ms)
  if asked then
    return asked <= LONGEST_MS and asked or nil
  end
  local delay = math.min(CAP_MS, FIRST_MS * 2 ^ (attempt - 1))
  return math.floor(delay * (1 - JITTER * random()))
end

return retry
