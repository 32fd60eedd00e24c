-- Runs the user's texts one turn after another in a task of its own, and holds what waits meanwhile.

local queue = require("panto.agent.queue")
local task = require("panto.sys.task")

---@class panto.Turns
---@field queue panto.Queue
---@field running panto.Task?
local Turns = {}
Turns.__index = Turns

local turns = {}

---@class panto.TurnsOptions
---@field send fun(text: string, take_steering: fun(): string[]): panto.TurnResult
---@field changed fun()
---@field give_back fun(texts: string[]) gets what was queued when a turn is aborted

--- Makes the runner.
---@param options panto.TurnsOptions
---@return panto.Turns
function turns.new(options)
  return setmetatable({
    send = options.send,
    changed = options.changed,
    give_back = options.give_back,
    queue = queue.new(),
  }, Turns)
end

local function run_all(self, text)
  local function take_steering()
    local texts = self.queue:take_steering()
    self.changed()
    return texts
  end
  while text do
    local result = self.send(text, take_steering)
    if result.status == "done" then
      text = self.queue:take_next()
    else
      text = nil
      self.give_back(self.queue:take_all())
    end
  end
end

-- Runs a function as what is running now.
local function occupy(self, fn)
  self.running = task.run(function()
    local guard <close> = setmetatable({}, {
      __close = function()
        self.running = nil
        self.changed()
      end,
    })
    return fn(), guard and nil
  end)
  if self.running:done() then
    self.running = nil
  end
end

--- Starts a turn, or adds the text to what the running one is told.
---@param text string
function Turns:submit(text)
  if self.running then
    self.queue:steer(text)
    return
  end
  occupy(self, function()
    return run_all(self, text)
  end)
end

--- Runs work that is no turn but is waited for and aborted like one; what is typed meanwhile is sent
--- when it has ended, or given back when it was aborted.
---@param work fun()
function Turns:run(work)
  occupy(self, function()
    local ended = false
    local guard <close> = setmetatable({}, {
      __close = function()
        if not ended then
          self.give_back(self.queue:take_all())
        end
      end,
    })
    work()
    ended = true
    return run_all(self, self.queue:take_next()), guard and nil
  end)
end

--- Adds a text that starts a turn of its own after the running one.
---@param text string
function Turns:follow(text)
  if self.running then
    self.queue:follow(text)
  else
    self:submit(text)
  end
end

--- Aborts the running turn; false when none runs.
---@return boolean
function Turns:abort()
  if not self.running then
    return false
  end
  task.cancel(self.running)
  return true
end

--- Aborts the running turn and waits until its bookkeeping is done.
function Turns:stop()
  local running = self.running
  if running then
    task.cancel(running)
    task.join(running)
  end
end

return turns
