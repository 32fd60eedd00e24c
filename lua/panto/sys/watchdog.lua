-- Interrupts Lua code that does not come back: a count hook around a call, in the call's own coroutine.

local getinfo, gethook, sethook = debug.getinfo, debug.gethook, debug.sethook

local watchdog = {}

local INSTRUCTIONS = 1000000
local limit_s = 2

local started, ticks = nil, 0
local owners = setmetatable({}, { __mode = "k" }) -- the functions that do the watched calls

-- The clock is read only once a call has run a million instructions. From the limit on every
-- instruction raises, so that code which catches errors gets out too, until its owner runs again.
local function check()
  ticks = ticks + 1
  if ticks == 1 then
    started = os.clock()
  elseif os.clock() - started > limit_s then
    if owners[getinfo(2, "f").func] then
      ticks = 0
      sethook(check, "", INSTRUCTIONS)
      return
    end
    sethook(check, "", 1)
    error(("interrupted: it did not come back within %g s"):format(limit_s), 2)
  end
end

--- Sets how long watched code may run without a wait; for tests.
---@param seconds number
function watchdog.set_limit(seconds)
  limit_s = seconds
end

--- Begins to watch the running coroutine; returns whether this call did, for `stop`.
---@param by function the running function, which does the watched calls and is not interrupted
---@return boolean mine false when it is already watched
function watchdog.start(by)
  ticks = 0
  owners[by] = true
  if gethook() == check then
    return false
  end
  sethook(check, "", INSTRUCTIONS)
  return true
end

--- Gives the code that runs next its whole time, as after a wait.
function watchdog.reset()
  ticks = 0
end

--- Watches a new coroutine as well when the running one is watched.
---@param co thread
---@param by function the function at its bottom, which does the watched call
function watchdog.extend(co, by)
  if gethook() == check then
    owners[by] = true
    sethook(co, check, "", INSTRUCTIONS)
  end
end

--- Ends the watch that `start` began.
---@param mine boolean what `start` returned
function watchdog.stop(mine)
  if mine then
    sethook()
  end
end

--- Calls `fn(...)` under watch, as xpcall does.
---@param fn function
---@param on_error fun(err: any): any
---@param ... any
---@return boolean ok
---@return any ...
function watchdog.call(fn, on_error, ...)
  local mine = watchdog.start(watchdog.call)
  local results = table.pack(xpcall(fn, on_error, ...))
  watchdog.stop(mine)
  return table.unpack(results, 1, results.n)
end

return watchdog
