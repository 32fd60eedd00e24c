-- Ctrl+C while Lua code runs becomes an error in that code; for the main thread only.

local host = require("panto.host")

local interrupt = {}

local spared = nil -- the luv whose loop is spared

-- An error between a callback and its wall would end the process at luv's hands, without a word:
-- while the loop runs Ctrl+C ends the process itself, as it does a script.
local function spare_loop(uv)
  local run = uv.run
  local function back(...)
    interrupt.arm()
    return ...
  end
  spared = uv
  uv.run = function(...)
    local signal = uv.new_signal() -- one that is closed leaves the system's own way behind
    signal:start("sigint", function() end)
    signal:close()
    return back(run(...))
  end
end

--- Has the next Ctrl+C end what the caller runs; a second one ends the process.
function interrupt.arm()
  local thread, is_main = coroutine.running()
  if is_main then
    host.interrupt_arm(("%p"):format(thread))
  end
  local uv = package.loaded.luv
  if uv and uv ~= spared then
    spare_loop(uv)
  end
end

--- Tells whether Ctrl+C came; it is raised again and again, past every pcall, until then.
---@return boolean
function interrupt.take()
  local came = host.interrupt_take()
  if came then
    debug.sethook()
  end
  return came
end

return interrupt
