-- Turns functions into tasks on the luv loop: start, wait, await, cancel. The only concurrency there is.
-- A task is a coroutine that stops only in task.wait; whatever ends the wait puts it on the ready list.

local blocking = require("panto.sys.blocking")
local run_queue = require("panto.sys.run_queue")
local uv = require("luv")
local watchdog = require("panto.sys.watchdog")

---@class panto.Task
---@field co thread
---@field finished boolean
---@field results table? packed results once finished well
---@field err any the error it ended with
---@field traceback string?
---@field cancelled boolean it was asked to stop
---@field stop fun()? closes what the current wait waits for
---@field owner { tasks: table<panto.Task, true> }? for whom it runs
---@field no_wait string? why it must not wait now
---@field observed boolean somebody awaits it or has seen its error
local Task = {}
Task.__index = Task

local task = {}

--- The error that a cancelled wait raises.
task.CANCELLED = setmetatable({}, {
  __tostring = function()
    return "task cancelled"
  end,
})

local current = nil ---@type panto.Task?
local failed = {} ---@type panto.Task[] ended with an error that nobody has looked at yet
local ready ---@type panto.RunQueue what goes on as soon as nothing else runs
local on_unhandled = nil ---@type fun(err: any, traceback: string?)?

local function finish(self, ok, ...)
  self.finished = true
  self.stop = nil
  if ok then
    self.results = table.pack(...)
  elseif not self.observed and self.err ~= task.CANCELLED then
    failed[#failed + 1] = self
  end
  local listeners = self.listeners
  self.listeners = nil
  for _, listener in ipairs(listeners or {}) do
    listener(self)
  end
end

local function step(self, ...)
  local outer = current
  current = self
  local ok, problem = coroutine.resume(self.co, ...)
  current = outer
  if not ok then -- only the task's own bookkeeping can fail here
    error(problem, 0)
  elseif not self.finished and not self.stop then -- a bare coroutine.yield lets the others go first
    ready:put(self)
  end
end

local function report_failed()
  local list = failed
  failed = {}
  for _, lost in ipairs(list) do
    if not lost.observed and on_unhandled then
      on_unhandled(lost.err, lost.traceback)
    end
  end
end

ready = run_queue.new(step, function()
  return current ~= nil
end, function()
  if failed[1] then
    report_failed()
  end
end)

local function listen(self, listener)
  self.listeners = self.listeners or {}
  table.insert(self.listeners, listener)
  return function()
    for i, known in ipairs(self.listeners or {}) do
      if known == listener then
        table.remove(self.listeners, i)
        return
      end
    end
  end
end

-- The bottom of every task: one function, so that the watchdog knows where a task's own code ends.
local function bottom(self, fn, ...)
  finish(
    self,
    xpcall(fn, function(err)
      self.err = err
      if err ~= task.CANCELLED then
        self.traceback = debug.traceback(tostring(err), 2)
      end
      return err
    end, ...)
  )
end

local function launch(owner, fn, ...)
  local self = setmetatable({ finished = false, cancelled = false, observed = false }, Task)
  self.owner = owner
  if owner then
    owner.tasks[self] = true
  end
  self.co = coroutine.create(bottom)
  watchdog.extend(self.co, bottom)
  step(self, self, fn, ...)
  ready:pump()
  return self
end

--- Starts `fn(...)` as a task; it runs at once until its first wait.
---@param fn fun(...): ...
---@param ... any
---@return panto.Task
function task.run(fn, ...)
  return launch(nil, fn, ...)
end

--- Starts `fn(...)` as a task; it runs at once until its first wait. What an extension's `activate`
--- starts ends when the extension is loaded anew.
---@param fn fun(...): ...
---@param ... any
---@return panto.Task
function task.run_owned(fn, ...)
  return launch(current and current.owner, fn, ...)
end

--- Makes each wait of the running task raise a message, until that is set back to nil.
---@param message string?
---@return string? former
function task.forbid_wait(message)
  local self = current or {}
  local former = self.no_wait
  self.no_wait = message
  return former
end

--- Stops the running task until `resume(...)` is called; returns what it was called with.
--- Outside of tasks a script's main chunk waits, and the loop runs meanwhile.
--- `start(resume)` begins something and returns a function that closes it when the task is cancelled.
---@param start fun(resume: fun(...)): fun()?
---@return ...
function task.wait(start)
  local self = current
  if not self and blocking.is_possible() then
    return blocking.wait(start)
  elseif not self or coroutine.running() ~= self.co then
    error(
      "this waits, so it must be called in a task (task.run) and not in a coroutine of its own",
      2
    )
  elseif self.no_wait then
    error(self.no_wait, 0)
  end
  if self.cancel_pending then
    self.cancel_pending = false
    error(task.CANCELLED, 0)
  end
  local values, waiting = nil, false
  local stop = start(function(...)
    if values then
      return
    end
    values = table.pack(...)
    if waiting then
      self.stop = nil
      ready:put(self)
    end
  end)
  if not values then
    waiting = true
    self.stop = function()
      values = values or { n = 0 }
      if stop then
        stop()
      end
      ready:put(self)
    end
    coroutine.yield()
    watchdog.reset()
    waiting = false
    if self.cancel_pending then
      self.cancel_pending = false
      error(task.CANCELLED, 0)
    end
  end
  return table.unpack(values, 1, values.n)
end

--- Asks a task to stop: its current wait is closed and raises task.CANCELLED, once.
---@param t panto.Task
function task.cancel(t)
  if t.finished then
    return
  end
  t.cancelled = true
  t.cancel_pending = true
  local stop = t.stop
  t.stop = nil
  if stop then
    stop()
  end
end

--- Waits until a task ends, in whatever way.
---@param t panto.Task
function task.join(t)
  t.observed = true
  if not t.finished then
    task.wait(function(resume)
      return listen(t, resume)
    end)
  end
end

--- Waits until a task ends and returns its results; raises its error.
---@param t panto.Task
---@return ...
function task.await(t)
  task.join(t)
  if not t.results then
    error(t.err, 0)
  end
  return table.unpack(t.results, 1, t.results.n)
end

local function start_all(list)
  local tasks = {}
  for i, item in ipairs(list) do
    tasks[i] = type(item) == "function" and task.run(item) or item
    tasks[i].observed = true
  end
  return tasks
end

local function wait_all(tasks)
  task.wait(function(resume)
    local open, removers = 0, {}
    for _, t in ipairs(tasks) do
      if t.finished and not t.results then
        return resume()
      elseif not t.finished then
        open = open + 1
        removers[open] = listen(t, function(ended)
          open = open - 1
          if open == 0 or not ended.results then
            resume()
          end
        end)
      end
    end
    if open == 0 then
      resume()
    end
    return function()
      for _, remove in ipairs(removers) do
        remove()
      end
    end
  end)
end

--- Runs functions (or waits for tasks) together and returns the first result of each, in order.
--- The first error cancels the others and is raised.
---@param list (panto.Task | fun(): any)[]
---@return any[]
function task.all(list)
  local tasks = start_all(list)
  local guard <close> = setmetatable({}, {
    __close = function()
      for _, t in ipairs(tasks) do
        task.cancel(t)
      end
    end,
  })
  wait_all(tasks)
  local results = {}
  for _, t in ipairs(tasks) do
    if t.finished and not t.results then
      error(t.err, 0)
    end
  end
  for i, t in ipairs(tasks) do
    results[i] = t.results[1]
  end
  return results, guard and nil
end

--- Sleeps for a number of milliseconds.
---@param ms number
function task.sleep(ms)
  task.wait(function(resume)
    local timer = assert(uv.new_timer())
    local function close()
      if not timer:is_closing() then
        timer:close()
      end
    end
    timer:start(math.max(0, math.ceil(ms)), 0, function()
      close()
      resume()
    end)
    return close
  end)
end

--- Runs `fn(...)` for at most `ms` milliseconds: true and its results, or false when time ran out.
---@param ms number
---@param fn fun(...): ...
---@param ... any
---@return boolean in_time
---@return ...
function task.timeout(ms, fn, ...)
  local worker <close> = task.run(fn, ...)
  worker.observed = true
  local clock <close> = task.run(task.sleep, ms)
  if not worker.finished then
    task.wait(function(resume)
      local first, second = listen(worker, resume), listen(clock, resume)
      return function()
        first()
        second()
      end
    end)
  end
  if worker.finished then
    return true, task.await(worker)
  end
  return false
end

--- Tells whether an error is the one of a cancelled wait.
---@param err any
---@return boolean
function task.is_cancelled(err)
  return err == task.CANCELLED
end

--- Returns the running task, nil outside of tasks.
---@return panto.Task?
function task.current()
  return current
end

--- Sets what is told of a task that failed while nobody awaited it.
---@param report fun(err: any, traceback: string?)
function task.on_unhandled(report)
  on_unhandled = report
end

--- Runs the luv loop until `main(...)` ends; returns its results, raises its error with the traceback.
---@param main fun(...): ...
---@param ... any
---@return ...
function task.loop(main, ...)
  local t = task.run(main, ...)
  t.observed = true
  if not t.finished then
    listen(t, function()
      uv.stop()
    end)
  end
  while not t.finished do
    uv.run("default")
    if not t.finished and not uv.loop_alive() then
      error("the main task waits for something that can never happen", 2)
    end
  end
  if not t.results then
    error(t.traceback or t.err, 0)
  end
  return table.unpack(t.results, 1, t.results.n)
end

--- Tells whether the task has ended.
---@return boolean
function Task:done()
  return self.finished
end

--- Cancels the task at the end of the scope of `local t <close> = task.run(…)`.
function Task:__close()
  task.cancel(self)
end

return task
