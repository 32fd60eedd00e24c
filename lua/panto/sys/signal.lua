-- Signals of the operating system on the luv loop; a watched one never keeps the loop alive.

local uv = require("luv")

local signal = {}

--- Calls `fn` each time the signal comes; returns a function that stops it.
---@param name string "sigterm", "sigwinch", …
---@param fn fun(name: string)
---@return fun() off
function signal.on(name, fn)
  local watcher = assert(uv.new_signal())
  watcher:start(name, function()
    fn(name)
  end)
  watcher:unref()
  return function()
    if not watcher:is_closing() then
      watcher:close()
    end
  end
end

--- Sends a signal to this process.
---@param name string
function signal.raise(name)
  uv.kill(math.tointeger(uv.os_getpid()), name)
end

return signal
