-- A key: F4 says how long the session has lasted, and how much of that were turns.

local panto = require("panto")

local function minutes(ms)
  return ("%d:%02d"):format(ms // 60000, ms // 1000 % 60)
end

return {
  name = "stopwatch",
  activate = function()
    local began_ms = panto.clock.mono_ms()
    local turn_ms ---@type number? when the running turn began
    local turns_ms = 0 ---@type number

    panto.ext.on("turn_start", function()
      turn_ms = panto.clock.mono_ms()
    end)
    panto.ext.on("turn_end", function()
      turns_ms = turns_ms + panto.clock.mono_ms() - (turn_ms or 0)
      turn_ms = nil
    end)

    panto.ext.register_key({
      key = "f4",
      description = "Show how long the session has lasted.",
      handler = function()
        local now_ms = panto.clock.mono_ms()
        local running_ms = turn_ms and now_ms - turn_ms or 0
        local text = "%s since the start, %s of it in turns"
        panto.ui.notify(text:format(minutes(now_ms - began_ms), minutes(turns_ms + running_ms)))
      end,
    })
  end,
}
