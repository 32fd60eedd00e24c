-- What the last records of a session tell of all of them: how many messages there are, and the number
-- of the next record.

local scan = require("panto.session.scan")

local tally = {}

-- Messages without a count are another program's; so many are looked through for one that has it.
tally.MOST_FOREIGN = 200

local ENOUGH_NUMBERS = 20

--- Counts the messages of a branch by the last one that knows how many there are up to it.
---@param walk fun(): panto.session.Entry? from its last record to its first
---@return integer count
---@return panto.session.Entry? more a record before which there may be more, when none knows
function tally.messages(walk)
  local n = 0
  for entry in walk do
    if entry.type == "message" then
      if entry.n then
        return n + entry.n
      end
      n = n + 1
      if n == tally.MOST_FOREIGN then
        return n, entry
      end
    end
  end
  return n
end

--- Counts the lines of a range that look like messages, whatever they hang on; none is decoded.
---@param read panto.session.Read
---@param first integer
---@param stop integer
---@return integer
function tally.lines(read, first, stop)
  local n = 0
  for line in scan.forward(read, first, stop) do
    if line:find('"message"', 1, true) then
      n = n + 1
    end
  end
  return n
end

--- Returns the number of the next record: above those of the last ones, foreign ids left aside. A
--- number that comes again far away harms nobody, as a parent is the nearest one before.
---@param walk fun(): panto.session.Entry?
---@return integer
function tally.next_number(walk)
  local highest, looked = 0, 0
  for entry in walk do
    highest = math.max(highest, math.tointeger(tonumber(entry.id, 10)) or 0)
    looked = looked + 1
    if looked >= (highest > 0 and ENOUGH_NUMBERS or tally.MOST_FOREIGN) then
      break
    end
  end
  return highest + 1
end

return tally
