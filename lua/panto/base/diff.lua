-- An old and a new text into what changed, line by line (Myers), and into a unified diff.

local diff_ends = require("panto.base.diff_ends")
local diff_search = require("panto.base.diff_search")

local MOST_EDITS = 600

---@class panto.diff.Line
---@field op "="|"-"|"+"
---@field old_line integer? its number in the old text
---@field new_line integer? its number in the new text
---@field text string without its line feed
---@field unended boolean? it is the last line and has no line feed

local diff = {}

diff.ratio = diff_search.ratio
diff.nearest = diff_search.nearest

-- The lines of a text, each with its line feed.
local function split(text)
  local lines, count = {}, 0
  for line in text:gmatch("[^\n]*\n?") do
    if line ~= "" then
      count = count + 1
      lines[count] = line
    end
  end
  return lines, count
end

-- Whether the furthest path on a diagonal comes from above (a new line) and not from the left.
local function comes_down(ends, diagonal, edits)
  return diagonal == -edits or (diagonal ~= edits and ends[diagonal - 1] < ends[diagonal + 1])
end

-- Myers' search between two stretches that begin at the same line number. Returns for each count
-- of edits what was reached before it, or nil when there are too many edits.
local function search(old, new, first, old_last, new_last)
  local wide, high = old_last - first + 1, new_last - first + 1
  local ends, trace = { [1] = 0 }, {}
  for edits = 0, math.min(wide + high, MOST_EDITS) do
    local before = {}
    for diagonal = -edits - 1, edits + 1, 2 do
      before[diagonal] = ends[diagonal]
    end
    trace[edits] = before
    for diagonal = -edits, edits, 2 do
      local down = comes_down(ends, diagonal, edits)
      local x = down and ends[diagonal + 1] or ends[diagonal - 1] + 1
      local y = x - diagonal
      while x < wide and y < high and old[first + x] == new[first + y] do
        x, y = x + 1, y + 1
      end
      ends[diagonal] = x
      if x >= wide and y >= high then
        return trace, edits
      end
    end
  end
  return nil
end

-- Marks the lines of a middle part that differ: old_gone[line] and new_come[line].
local function mark_changes(old, new, first, old_last, new_last)
  local old_gone, new_come = {}, {}
  local trace, edits
  if old_last >= first and new_last >= first then
    trace, edits = search(old, new, first, old_last, new_last)
  end
  if not trace then
    for line = first, old_last do
      old_gone[line] = true
    end
    for line = first, new_last do
      new_come[line] = true
    end
    return old_gone, new_come
  end
  local x, y = old_last - first + 1, new_last - first + 1
  for count = edits, 1, -1 do
    local ends, diagonal = trace[count], x - y
    local down = comes_down(ends, diagonal, count)
    local from = down and diagonal + 1 or diagonal - 1
    x = ends[from]
    y = x - from
    if down then
      new_come[first + y] = true
    else
      old_gone[first + x] = true
    end
  end
  return old_gone, new_come
end

local function common_ends(old, old_count, new, new_count)
  local least = math.min(old_count, new_count)
  local head, tail = 0, 0
  while head < least and old[head + 1] == new[head + 1] do
    head = head + 1
  end
  while tail < least - head and old[old_count - tail] == new[new_count - tail] do
    tail = tail + 1
  end
  return head, tail
end

local function new_entry(op, old_line, new_line, line)
  local text = line:match("^(.*)\n$")
  return {
    op = op,
    old_line = old_line,
    new_line = new_line,
    text = text or line,
    unended = not text or nil,
  }
end

--- Compares two texts line by line; beyond a bound of edits the whole differing middle is replaced.
---@param old string
---@param new string
---@return panto.diff.Line[]
function diff.lines(old, new)
  local old_lines, old_count = split(old)
  local new_lines, new_count = split(new)
  local head, tail = common_ends(old_lines, old_count, new_lines, new_count)
  local old_gone, new_come =
    mark_changes(old_lines, new_lines, head + 1, old_count - tail, new_count - tail)
  local entries, a, b = {}, 1, 1
  while a <= old_count or b <= new_count do
    if old_gone[a] then
      entries[#entries + 1] = new_entry("-", a, nil, old_lines[a])
      a = a + 1
    elseif new_come[b] then
      entries[#entries + 1] = new_entry("+", nil, b, new_lines[b])
      b = b + 1
    else
      entries[#entries + 1] = new_entry("=", a, b, old_lines[a])
      a, b = a + 1, b + 1
    end
  end
  return entries
end

-- The stretches of entries that belong together: changes with their context, as {first, last}.
local function find_hunks(entries, context)
  local hunks = {}
  for index, entry in ipairs(entries) do
    if entry.op ~= "=" then
      local first = math.max(index - context, 1)
      local last = math.min(index + context, #entries)
      local open = hunks[#hunks]
      if open and first <= open.last + 1 then
        open.last = last
      else
        hunks[#hunks + 1] = { first = first, last = last }
      end
    end
  end
  return hunks
end

-- One side of a hunk's head: "12,7", or "11,0" for nothing after line 11.
local function side(start, count, before)
  if count == 0 then
    return before .. ",0"
  end
  return count == 1 and tostring(start) or start .. "," .. count
end

local function write_hunk(entries, hunk, out, before, skipped)
  local old_start, new_start, old_count, new_count = nil, nil, 0, 0
  local head = #out + 1
  out[head] = ""
  for index = hunk.first, hunk.last do
    local entry = entries[index]
    old_start = old_start or entry.old_line
    new_start = new_start or entry.new_line
    old_count = old_count + (entry.old_line and 1 or 0)
    new_count = new_count + (entry.new_line and 1 or 0)
    out[#out + 1] = (entry.op == "=" and " " or entry.op) .. entry.text .. "\n"
    if entry.unended then
      out[#out + 1] = "\\ No newline at end of file\n"
    end
  end
  local old_side = side((old_start or 0) + skipped, old_count, before.old + skipped)
  local new_side = side((new_start or 0) + skipped, new_count, before.new + skipped)
  out[head] = ("@@ -%s +%s @@\n"):format(old_side, new_side)
end

-- The numbers of the last old and new line before an entry.
local function lines_before(entries, first)
  local before = { old = 0, new = 0 }
  for index = first - 1, 1, -1 do
    before.old = math.max(before.old, entries[index].old_line or 0)
    before.new = math.max(before.new, entries[index].new_line or 0)
    if before.old > 0 and before.new > 0 then
      break
    end
  end
  return before
end

---@class panto.diff.Options
---@field context? integer lines shown around a change, 4 when nil
---@field path? string named in a head of two lines; no head when nil

--- Writes a unified diff; the empty text when nothing changed.
---@param old string
---@param new string
---@param options? panto.diff.Options
---@return string text
function diff.unified(old, new, options)
  options = options or {}
  local context, out = options.context or 4, {}
  local old_middle, new_middle, skipped = diff_ends.cut(old, new, context)
  local entries = diff.lines(old_middle, new_middle)
  for _, hunk in ipairs(find_hunks(entries, context)) do
    write_hunk(entries, hunk, out, lines_before(entries, hunk.first), skipped)
  end
  local text = table.concat(out)
  if text ~= "" and options.path then
    text = ("--- a/%s\n+++ b/%s\n"):format(options.path, options.path) .. text
  end
  return text
end

return diff
