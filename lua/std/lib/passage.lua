-- Finds the passage of a file that is nearest to lines that were not found in it.
local passage = {}

local function words_of(lines)
  local words = {}
  for _, line in ipairs(lines) do
    for word in line:gmatch("[%w_]+") do
      words[word] = true
    end
  end
  return words
end

-- A line is worth its known words, less half of the unknown ones.
local function score_line(line, words)
  local score = 0
  for word in line:gmatch("[%w_]+") do
    score = score + (words[word] and 1 or -0.5)
  end
  return score
end

--- Returns the range of lines that has most in common with the wanted ones; nil when nothing has.
---@param lines string[] of the file
---@param wanted string[]
---@return integer? first
---@return integer? last
function passage.nearest(lines, wanted)
  local words, size = words_of(wanted), #wanted
  local scores, sum, best, first = {}, 0, 0, nil
  for i, line in ipairs(lines) do
    scores[i] = score_line(line, words)
    sum = sum + scores[i] - (scores[i - size] or 0)
    if sum > best then
      best, first = sum, math.max(1, i - size + 1)
    end
  end
  if first then
    return first, math.min(#lines, first + size - 1)
  end
end

return passage
