-- Two long texts into the lines in which they differ: what is alike at both ends is found by
-- comparing blocks of bytes, without looking at its lines.

local find, match, sub = string.find, string.match, string.sub
local max, min = math.max, math.min

local BLOCK = 16384

-- How many bytes are alike where `cut(text, at, size)` gives the `size` bytes behind the first `at`.
local function count_alike(a, b, cut)
  local most, at, size = min(#a, #b), 0, BLOCK
  while at < most and cut(a, at, size) == cut(b, at, size) do
    at = at + size
  end
  while at < most and size > 1 do
    size = size // 2
    if cut(a, at, size) == cut(b, at, size) then
      at = at + size
    end
  end
  return min(at, most)
end

local function from_start(text, at, size)
  return sub(text, at + 1, at + size)
end

local function from_end(text, at, size)
  return sub(text, -at - size, -at - 1)
end

-- Where the line begins that holds the byte at `pos`, or that would if the text went on.
local function line_start(text, pos)
  local size = 512
  while true do
    local from = max(1, pos - size)
    local start = match(sub(text, from, pos - 1), "^.*\n()")
    if start or from == 1 then
      return from + (start or 1) - 1
    end
    size = size * 4
  end
end

local function count_lines(text, stop)
  local count, at = 0, find(text, "\n", 1, true)
  while at and at <= stop do
    count, at = count + 1, find(text, "\n", at + 1, true)
  end
  return count
end

local diff_ends = {}

--- Returns the middle of each text: the lines that differ, and at least so many around them.
---@param old string
---@param new string
---@param context integer
---@return string old_middle
---@return string new_middle
---@return integer skipped how many lines stand before both
function diff_ends.cut(old, new, context)
  local head = count_alike(old, new, from_start)
  local tail = min(count_alike(old, new, from_end), #old - head, #new - head)
  local first = line_start(old, head + 1)
  for _ = 1, context do
    first = line_start(old, max(1, first - 1))
  end
  local stop = #old - tail
  for _ = 0, context do
    stop = find(old, "\n", stop + 1, true) or #old
  end
  return sub(old, first, stop), sub(new, first, stop + #new - #old), count_lines(old, first - 1)
end

return diff_ends
