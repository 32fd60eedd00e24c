-- The records of a session as a chain from the last one back to the first, read from the file's end
-- only as far as someone walks.

local record = require("panto.session.record")
local scan = require("panto.session.scan")

---@class panto.session.Chain
---@field read panto.session.Read
---@field first integer where the records begin in the file
---@field note fun(text: string) is told what is broken
local Chain = {}
Chain.__index = Chain

local chain = {}

local MAX_NOTES = 20

--- Makes a chain over the records of a file.
---@param read panto.session.Read
---@param first integer where they begin
---@param note fun(text: string)
---@return panto.session.Chain
function chain.new(read, first, note)
  return setmetatable({ read = read, first = first, note = note, noted = {}, notes = 0 }, Chain)
end

local function tell(self, text)
  if not self.noted[text] then
    self.noted[text] = true
    self.notes = self.notes + 1
    if self.notes <= MAX_NOTES then
      self.note(text)
    end
  end
end

-- The next good record towards the file's start; `broken` tells that a line was passed over.
local function step(self, lines)
  local broken = false
  for line, at in lines do
    if line ~= "" and line ~= "\r" then
      local entry = record.parse(line)
      if entry then
        entry.at = at
        return entry, broken
      end
      broken = true
      tell(self, ("the line at byte %d is broken; it is left out"):format(at))
    end
  end
  return nil, broken
end

--- Returns the last good record before a place of the file.
---@param stop integer
---@return panto.session.Entry?
function Chain:last(stop)
  return (step(self, scan.backward(self.read, self.first, stop)))
end

-- Ids that panto gives rise through the file: behind a lower one the wanted one cannot come.
local function is_passed(wanted, id)
  local number, other = tonumber(wanted, 10), tonumber(id, 10)
  return number and other and other < number
end

-- A record hangs on the nearest one before it that has its parent's id; when that is lost, on the
-- record before it.
local function find_parent(self, entry)
  local lines = self.behind == entry and self.lines
    or scan.backward(self.read, self.first, entry.at)
  self.behind, self.lines = nil, nil
  local nearest, any_broken
  while true do
    local found, broken = step(self, lines)
    any_broken = any_broken or broken
    if found and found.id == entry.parent then
      self.behind, self.lines = found, lines
      return found
    end
    nearest = nearest or found
    if not found or any_broken and is_passed(entry.parent, found.id) then
      local text = "the parent %s of record %s is missing; it follows the record before it"
      tell(self, text:format(entry.parent, entry.id))
      return nearest
    end
  end
end

--- Returns the entry that another hangs on; nil for the first one.
---@param entry panto.session.Entry
---@return panto.session.Entry?
function Chain:before(entry)
  if entry.before == nil then
    entry.before = entry.parent and find_parent(self, entry) or false
  end
  return entry.before or nil
end

--- Iterates from an entry back to the first one of its branch.
---@param entry panto.session.Entry?
---@return fun(): panto.session.Entry?
function Chain:walk(entry)
  return function()
    local found = entry
    entry = found and self:before(found)
    return found
  end
end

return chain
