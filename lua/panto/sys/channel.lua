-- A queue between tasks: put never waits, take does.

local task = require("panto.sys.task")

---@class panto.Channel
local Channel = {}
Channel.__index = Channel

local channel = {}

--- Makes an empty channel.
---@return panto.Channel
function channel.new()
  return setmetatable({ first = 1, last = 0, items = {}, closed = false }, Channel)
end

local function wake(self)
  local resume = self.taker
  self.taker = nil
  if resume then
    resume()
  end
end

--- Adds a value at the end; does nothing once the channel is closed.
---@param value any not nil
function Channel:put(value)
  if self.closed then
    return
  end
  self.last = self.last + 1
  self.items[self.last] = value
  wake(self)
end

--- Takes the first value; waits while there is none; nil once closed and empty.
---@return any
function Channel:take()
  while self.first > self.last and not self.closed do
    if self.taker then
      error("two tasks take from one channel", 2)
    end
    task.wait(function(resume)
      self.taker = resume
      return function()
        self.taker = nil
      end
    end)
  end
  return self:poll()
end

--- Takes the first value without waiting; nil when there is none.
---@return any
function Channel:poll()
  if self.first > self.last then
    return nil
  end
  local value = self.items[self.first]
  self.items[self.first] = nil
  self.first = self.first + 1
  return value
end

--- Ends the channel: what is in it can still be taken.
function Channel:close()
  self.closed = true
  wake(self)
end

--- Counts the values that wait to be taken.
---@return integer
function Channel:size()
  return self.last - self.first + 1
end

return channel
