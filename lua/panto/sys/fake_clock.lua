-- A time that goes on only when it is told to, in the place of the clock and of every sleep.

local clock = require("panto.sys.clock")
local task = require("panto.sys.task")

local fake_clock = {}

local SETTLE_ROUNDS = 2

---@class panto.Sleeper
---@field due number
---@field resume fun()

---@class panto.FakeClock
---@field ms number
---@field sleepers panto.Sleeper[] in the order in which they fell asleep
---@field sleep fun(ms: number) the real one
---@field restore fun() puts the real time back
local FakeClock = {}
FakeClock.__index = FakeClock

local function sleep(self, ms)
  if ms <= 0 then
    return self.sleep(0)
  end
  task.wait(function(resume)
    local sleeper = { due = self.ms + math.ceil(ms), resume = resume }
    table.insert(self.sleepers, sleeper)
    return function()
      sleeper.resume = nil
    end
  end)
end

-- Who still sleeps does so for the rest of it in real time.
local function wake_later(self)
  for _, sleeper in ipairs(self.sleepers) do
    task.run(function()
      self.sleep(math.max(0, sleeper.due - self.ms))
      if sleeper.resume then
        sleeper.resume()
      end
    end)
  end
  self.sleepers = {}
end

local function replace(self, tables)
  local real = { now_ms = clock.now_ms, mono_ms = clock.mono_ms }
  local function now()
    return self.ms
  end
  clock.now_ms, clock.mono_ms = now, now
  for _, module in ipairs(tables) do
    module.sleep = function(ms)
      sleep(self, ms)
    end
  end
  self.restore = function()
    clock.now_ms, clock.mono_ms = real.now_ms, real.mono_ms
    for _, module in ipairs(tables) do
      module.sleep = self.sleep
    end
    self.restore = function() end
    wake_later(self)
  end
end

--- Stops the time; `tables` are other tables than task's own that have its `sleep`.
---@param start_ms integer milliseconds since 1970
---@param tables table[]?
---@return panto.FakeClock
function fake_clock.install(start_ms, tables)
  local self = setmetatable({ ms = start_ms, sleepers = {}, sleep = task.sleep }, FakeClock)
  replace(self, { task, table.unpack(tables or {}) })
  return self
end

-- The first sleeper that is due until then; those that were cancelled are dropped.
local function take_next(self, target)
  local found, at
  for i = #self.sleepers, 1, -1 do
    local sleeper = self.sleepers[i]
    if not sleeper.resume then
      table.remove(self.sleepers, i)
      at = at and at - 1
    elseif sleeper.due <= target and (not found or sleeper.due <= found.due) then
      found, at = sleeper, i
    end
  end
  if found then
    table.remove(self.sleepers, at)
  end
  return found
end

--- Lets all go on that need not wait for the time.
function FakeClock:settle()
  for _ = 1, SETTLE_ROUNDS do
    self.sleep(0)
  end
end

--- Lets the time go on; who sleeps until then wakes up, one after the other.
---@param ms integer
function FakeClock:advance(ms)
  local target = self.ms + ms
  self:settle()
  local sleeper = take_next(self, target)
  while sleeper do
    self.ms = math.max(self.ms, sleeper.due)
    sleeper.resume()
    self:settle()
    sleeper = take_next(self, target)
  end
  self.ms = target
end

return fake_clock
