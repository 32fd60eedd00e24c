-- Holds what the user typed while a turn runs: texts for the turn itself and texts for after it.

local queue = {}

---@class panto.Queue
---@field entries { kind: "steer"|"follow", text: string }[] oldest first
local Queue = {}
Queue.__index = Queue

--- Returns an empty queue.
---@return panto.Queue
function queue.new()
  return setmetatable({ entries = {} }, Queue)
end

--- Adds a text that is delivered after the calls that run now.
---@param text string
function Queue:steer(text)
  self.entries[#self.entries + 1] = { kind = "steer", text = text }
end

--- Adds a text that starts a turn of its own after this one.
---@param text string
function Queue:follow(text)
  self.entries[#self.entries + 1] = { kind = "follow", text = text }
end

--- Removes and returns every steering text, oldest first.
---@return string[]
function Queue:take_steering()
  local taken, left = {}, {}
  for _, entry in ipairs(self.entries) do
    if entry.kind == "steer" then
      taken[#taken + 1] = entry.text
    else
      left[#left + 1] = entry
    end
  end
  self.entries = left
  return taken
end

--- Removes and returns the oldest text, whatever its kind; nil when there is none.
---@return string?
function Queue:take_next()
  local entry = table.remove(self.entries, 1)
  return entry and entry.text
end

--- Removes and returns the newest text, back to the editor; nil when there is none.
---@return string?
function Queue:take_last()
  local entry = table.remove(self.entries)
  return entry and entry.text
end

--- Removes and returns all texts, oldest first.
---@return string[]
function Queue:take_all()
  local taken = {}
  for i, entry in ipairs(self.entries) do
    taken[i] = entry.text
  end
  self.entries = {}
  return taken
end

--- Returns how many texts wait.
---@return integer
function Queue:size()
  return #self.entries
end

return queue
