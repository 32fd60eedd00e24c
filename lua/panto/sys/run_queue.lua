-- Runs what is ready one after the other, and lets the luv loop do its IO between long runs.

local uv = require("luv")

local STEPS_BEFORE_IO = 500

---@class panto.RunQueue
---@field step fun(item: any) runs one item
---@field is_busy fun(): boolean something runs that will pump when it is done
---@field after fun() is called whenever the queue is empty
local RunQueue = {}
RunQueue.__index = RunQueue

local run_queue = {}

--- Returns an empty queue.
---@param step fun(item: any)
---@param is_busy fun(): boolean
---@param after fun()
---@return panto.RunQueue
function run_queue.new(step, is_busy, after)
  return setmetatable(
    { step = step, is_busy = is_busy, after = after, first = 1, last = 0, items = {} },
    RunQueue
  )
end

local function breathe(self)
  if not self.breather then
    self.breather = uv.new_timer()
    self.breathed = function()
      self:pump()
    end
  end
  self.breather:start(0, 0, self.breathed)
end

--- Runs what is in the queue, unless that is being done already.
function RunQueue:pump()
  if self.pumping or self.is_busy() then
    return
  end
  self.pumping = true
  local items, steps = self.items, 0
  while self.first <= self.last do
    if steps == STEPS_BEFORE_IO then
      breathe(self)
      break
    end
    local item = items[self.first]
    items[self.first] = nil
    self.first = self.first + 1
    steps = steps + 1
    self.step(item)
  end
  self.pumping = false
  self.after()
end

--- Adds an item, and runs it as soon as nothing else runs.
---@param item any
function RunQueue:put(item)
  self.last = self.last + 1
  self.items[self.last] = item
  self:pump()
end

return run_queue
