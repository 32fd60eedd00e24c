-- Calls an extension's function: watched, bounded in its waits, its error as { message, traceback }.

local guard = require("panto.sys.guard")
local task = require("panto.sys.task")
local watchdog = require("panto.sys.watchdog")

local wall = {}

---@class panto.WallError
---@field message string
---@field traceback string

--- Turns a raised value into { message, traceback }; a cancelled wait stays what it is. For xpcall.
---@param err any
---@return panto.WallError
function wall.trace(err)
  if task.is_cancelled(err) then
    return err
  end
  return { message = guard.show(err), traceback = debug.traceback("", 2) }
end

local function settle(ok, ...)
  local err = ...
  if not ok and task.is_cancelled(err) then
    error(err, 0)
  end
  return ok, ...
end

--- Calls a function under watch; false and a panto.WallError when it raises.
---@param fn function
---@param ... any
---@return boolean ok
---@return any ...
function wall.call(fn, ...)
  return settle(watchdog.call(fn, wall.trace, ...))
end

local function begin(owner, fn, ...)
  task.current().owner = owner
  return wall.call(fn, ...)
end

--- Calls a function in a task of its own that may wait for so long; what it starts is its owner's.
---@param limit_ms integer
---@param owner panto.Owner?
---@param fn function
---@param ... any
---@return boolean ok
---@return any ...
function wall.wait(limit_ms, owner, fn, ...)
  local work <close> = task.run(begin, owner, fn, ...)
  work.observed = true
  if not work:done() and not task.timeout(limit_ms, task.join, work) then
    local message = ("it waited for more than %d s"):format(limit_ms // 1000)
    return false, { message = message, traceback = "" }
  end
  return task.await(work)
end

return wall
