-- Asks until the person has decided: the pace of RFC 8628, whatever the dialect.

local expiry = require("panto.auth.expiry")

local DEFAULT_INTERVAL_S = 5
local DEFAULT_EXPIRES_S = 900
local LEAST_WAIT_MS = 100
local MARGIN = 1.1 -- two clocks never agree, and a poll too early costs five seconds
local MOST_WAIT_MS = 60000

local poll = {}

--- Reads an interval or "expires in" of an answer, as a number or a text.
---@param fields table<string, any>
---@return number interval_s
---@return number expires_in_s
function poll.pace(fields)
  local interval_s = expiry.seconds(fields.interval) or DEFAULT_INTERVAL_S
  local expires_in_s = expiry.seconds(fields.expires_in)
  return interval_s, expires_in_s and expires_in_s > 0 and expires_in_s or DEFAULT_EXPIRES_S
end

local function slower(interval_s, wanted)
  local asked = expiry.seconds(wanted)
  return asked and asked > interval_s and asked or interval_s + 5
end

--- Calls `ask` once an interval until it says "done" or "fail" or the code has expired. It returns
--- "pending", "hiccup" (the network), "slow_down" and a new interval, or an end and its value.
---@param wire panto.auth.Wire
---@param prompt { interval_s: number, expires_in_s: number }
---@param ask fun(): string, any
---@return any value of "done"
---@return string? message
function poll.run(wire, prompt, ask)
  local interval_s, hiccups = prompt.interval_s, 0
  local limit = wire.mono_ms() + prompt.expires_in_s * 1000
  while true do
    local wait_ms = math.max(LEAST_WAIT_MS, interval_s * 1000 * MARGIN)
    if hiccups > 0 then
      wait_ms = math.min(MOST_WAIT_MS, wait_ms * 2 ^ math.min(hiccups, 4))
    end
    local left_ms = limit - wire.mono_ms()
    wire.sleep(math.min(wait_ms, math.max(left_ms, 0)))
    local kind, value = ask()
    if kind == "done" then
      return value
    elseif kind == "fail" then
      return nil, value
    elseif wire.mono_ms() >= limit then
      return nil, "the code has expired before it was entered"
    elseif kind == "slow_down" then
      interval_s = slower(interval_s, value)
    end
    hiccups = kind == "hiccup" and hiccups + 1 or 0
  end
end

return poll
