-- Two texts into how alike they are; a text and a passage into where in it the passage may be.

local byte = string.byte

local MOST_CANDIDATES = 8
local MOST_LINES_COMPARED = 200
local LONGEST_LINE_COMPARED = 2000
local MOST_BYTES_LETTERWISE = 300000

local function add_pairs(text, sign, counts)
  local last = byte(text, 1)
  for index = 2, #text do
    local letter = byte(text, index)
    local pair = last << 8 | letter
    counts[pair] = (counts[pair] or 0) + sign
    last = letter
  end
end

-- The words of a line that are words of the passage, as a list, and how many words it has in all.
local function known_words(line, wanted)
  local known, total = {}, 0
  for word in line:gmatch("[%w_\x80-\xFF]+") do
    total = total + 1
    if wanted[word] then
      known[#known + 1] = word
    end
  end
  return known, total
end

local function passage_words(lines)
  local wanted, total = {}, 0
  for _, line in ipairs(lines) do
    for word in line:gmatch("[%w_\x80-\xFF]+") do
      wanted[word] = (wanted[word] or 0) + 1
      total = total + 1
    end
  end
  return wanted, total
end

-- Keeps the best few candidates, the best first and the earlier of equals first.
local function offer(candidates, start, score)
  local slot = #candidates + 1
  while slot > 1 and candidates[slot - 1].score < score do
    slot = slot - 1
  end
  if score > 0 and slot <= MOST_CANDIDATES then
    table.insert(candidates, slot, { start = start, score = score })
    candidates[MOST_CANDIDATES + 1] = nil
  end
end

-- Slides a window of the passage's height over the text and counts the words they share: each line
-- enters and leaves once, so the cost is that of reading the text.
local function candidates_by_words(haystack, needle)
  local wanted, wanted_total = passage_words(needle)
  local candidates, height = {}, #needle
  if wanted_total == 0 then
    return candidates
  end
  local inside, shared, total = {}, 0, 0
  local entered, sizes = {}, {}
  for index, line in ipairs(haystack) do
    local known, size = known_words(line, wanted)
    entered[index], sizes[index] = known, size
    total = total + size
    for _, word in ipairs(known) do
      local count = (inside[word] or 0) + 1
      inside[word] = count
      shared = shared + (count <= wanted[word] and 1 or 0)
    end
    local gone = index - height
    if gone > 0 then
      total = total - sizes[gone]
      for _, word in ipairs(entered[gone]) do
        local count = inside[word]
        inside[word] = count - 1
        shared = shared - (count <= wanted[word] and 1 or 0)
      end
      entered[gone], sizes[gone] = nil, nil
    end
    if index >= height or index == #haystack then
      offer(candidates, math.max(gone, 0) + 1, 2 * shared / (total + wanted_total))
    end
  end
  return candidates
end

local diff_search = {}

--- Says how alike two texts are by the pairs of letters they share.
---@param a string
---@param b string
---@return number ratio 0 to 1
function diff_search.ratio(a, b)
  if a == b then
    return 1
  end
  local total = #a + #b - 2
  if #a < 2 or #b < 2 then
    return 0
  end
  local counts = {}
  add_pairs(a, 1, counts)
  add_pairs(b, -1, counts)
  local different = 0
  for _, count in pairs(counts) do
    different = different + math.abs(count)
  end
  return 1 - different / total
end

local function trimmed(line)
  return (line or ""):sub(1, LONGEST_LINE_COMPARED):match("^%s*(.-)%s*$")
end

-- How alike the passage and the lines from start on are, line against line.
local function aligned_ratio(haystack, start, needle)
  local alike, weight = 0, 0
  for index = 1, math.min(#needle, MOST_LINES_COMPARED) do
    local ours, theirs = trimmed(needle[index]), trimmed(haystack[start + index - 1])
    local size = #ours + 1
    alike = alike + size * diff_search.ratio(ours, theirs)
    weight = weight + size
  end
  return alike / weight
end

-- Without a shared word: compares the passage's longest line with each line, in short texts only.
local function candidates_by_letters(haystack, needle)
  local candidates, longest = {}, 1
  for index, line in ipairs(needle) do
    longest = #line > #needle[longest] and index or longest
  end
  local line, bytes = trimmed(needle[longest]), 0
  for index, other in ipairs(haystack) do
    bytes = bytes + #other + #line
    if bytes > MOST_BYTES_LETTERWISE then
      break
    end
    offer(candidates, math.max(index - longest + 1, 1), diff_search.ratio(line, trimmed(other)))
  end
  return candidates
end

--- Finds the passage of a text that is most like a given one.
---@param haystack string[] the lines of the text
---@param needle string[] the lines of the passage
---@return integer? start_line nil when nothing is alike
---@return number ratio 0 to 1
function diff_search.nearest(haystack, needle)
  if #haystack == 0 or #needle == 0 then
    return nil, 0
  end
  local candidates = candidates_by_words(haystack, needle)
  if #candidates == 0 then
    candidates = candidates_by_letters(haystack, needle)
  end
  local best, best_ratio = nil, 0
  for _, candidate in ipairs(candidates) do
    local ratio = aligned_ratio(haystack, candidate.start, needle)
    if ratio > best_ratio then
      best, best_ratio = candidate.start, ratio
    end
  end
  return best, best_ratio
end

return diff_search
