-- A misspelt name and the names that exist, into those that may have been meant.

local byte = string.byte

local LONGEST = 256

-- What is left of two texts without their common beginning and end.
local function without_common_ends(a, b)
  local least, head, tail = math.min(#a, #b), 0, 0
  while head < least and byte(a, head + 1) == byte(b, head + 1) do
    head = head + 1
  end
  while tail < least - head and byte(a, #a - tail) == byte(b, #b - tail) do
    tail = tail + 1
  end
  return a:sub(head + 1, #a - tail), b:sub(head + 1, #b - tail)
end

-- Fills the next row of the table of distances and returns its least entry.
local function fill_row(a, b, line, row, above, before)
  local letter, last, other = byte(a, line), byte(a, line - 1), nil
  local left, best = line, line
  row[0] = line
  for column = 1, #b do
    local letter_before = other
    other = byte(b, column)
    local cost = above[column - 1] + (letter == other and 0 or 1)
    if above[column] < cost then
      cost = above[column] + 1
    end
    if left < cost then
      cost = left + 1
    end
    if other == last and letter == letter_before and before[column - 2] < cost then
      cost = before[column - 2] + 1
    end
    row[column], left = cost, cost
    if cost < best then
      best = cost
    end
  end
  return best
end

-- Damerau-Levenshtein distance (adjacent letters may be swapped), or nil when it is over limit.
local function distance(a, b, limit)
  if math.abs(#a - #b) > limit then
    return nil
  end
  a, b = without_common_ends(a, b)
  local before, above, row = {}, {}, {}
  for column = 0, #b do
    above[column] = column
  end
  for line = 1, #a do
    if fill_row(a, b, line, row, above, before) > limit then
      return nil
    end
    before, above, row = above, row, before
  end
  return above[#b] <= limit and above[#b] or nil
end

local function is_likelier(a, b)
  if a.cost ~= b.cost then
    return a.cost < b.cost
  end
  return a.name < b.name
end

-- Puts a name in its place among the likeliest, of which there are at most count.
local function offer(found, count, entry)
  local slot = #found + 1
  while slot > 1 and is_likelier(entry, found[slot - 1]) do
    slot = slot - 1
  end
  if slot <= count then
    table.insert(found, slot, entry)
    found[count + 1] = nil
  end
end

local nearest = {}

--- Finds the names that differ from a name in at most a third of its letters (two in a short one).
---@param name string
---@param names string[]
---@param count? integer how many at most, 3 when nil
---@return string[] found the likeliest first
function nearest.find(name, names, count)
  local found, list = {}, {}
  if #name > LONGEST then
    return list
  end
  count = count or 3
  local wanted, limit = name:lower(), math.max(2, #name // 3)
  for _, candidate in ipairs(names) do
    if found[count] then
      limit = math.min(limit, found[count].cost // 1)
    end
    local longest = math.max(#name, #candidate)
    local cost = distance(wanted, candidate:lower(), math.min(limit, longest - 1))
    if cost then
      local shift = candidate == name and 0 or 0.5
      offer(found, count, { name = candidate, cost = cost + shift })
    end
  end
  for index, entry in ipairs(found) do
    list[index] = entry.name
  end
  return list
end

return nearest
