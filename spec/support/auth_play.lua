-- A network and a clock for the auth specs: answers in order, time that only sleeping moves.

local base64 = require("panto.base.base64")
local json = require("panto.base.json")
local wire = require("panto.auth.wire")

local play = { NOW_S = 1800000000 }

--- Makes a wire that gives `answers` one after another; the last one stays. An answer is
--- { status, table (JSON) or text } or a text: the network's failure.
function play.wire(answers)
  local now_ms, at = 0, 0
  local made = { sent = {}, slept = {} }
  made.wire = wire.new({
    request = function(spec)
      made.sent[#made.sent + 1] = spec
      at = math.min(at + 1, #answers)
      local answer = answers[at]
      if type(answer) == "string" then
        return nil, { kind = "connect", message = answer }
      end
      local is_table = type(answer[2]) == "table"
      return setmetatable({
        status = answer[1],
        headers = { ["content-type"] = answer[3] or "application/json" },
        read_all = function()
          return is_table and json.encode(answer[2]) or answer[2] or ""
        end,
      }, { __close = function() end })
    end,
    sleep = function(ms)
      made.slept[#made.slept + 1] = ms
      now_ms = now_ms + ms
    end,
    now_ms = function()
      return play.NOW_S * 1000 + now_ms
    end,
    mono_ms = function()
      return now_ms
    end,
  })
  return made
end

--- Writes an unsigned token that carries the claims.
function play.jwt(claims)
  local function part(value)
    return (base64.encode(json.encode(value)):gsub("=", ""):gsub("%+", "-"):gsub("/", "_"))
  end
  return part({ alg = "none" }) .. "." .. part(claims) .. ".c2ln"
end

return play
