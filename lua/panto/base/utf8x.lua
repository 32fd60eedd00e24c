-- Bytes that should be UTF-8, into bytes that are: checks, repairs, and cuts between characters.

local byte, sub = string.byte, string.sub
local utf8_len = utf8.len

local REPLACEMENT = "\u{FFFD}"

-- Lead bytes whose second byte has a narrower range than 80..BF.
local SECOND_LOW = { [0xE0] = 0xA0, [0xF0] = 0x90 }
local SECOND_HIGH = { [0xED] = 0x9F, [0xF4] = 0x8F }

-- How many bytes at pos begin one character that is not completed there (1 for any bad byte).
local function broken_length(text, pos)
  local lead, second, third = byte(text, pos, pos + 2)
  if lead < 0xE0 or lead > 0xF4 or not second then
    return 1
  elseif second < (SECOND_LOW[lead] or 0x80) or second > (SECOND_HIGH[lead] or 0xBF) then
    return 1
  elseif lead < 0xF0 or not third or third < 0x80 or third > 0xBF then
    return 2
  end
  return 3
end

local function needed_length(lead)
  if lead < 0xC2 or lead > 0xF4 then
    return 1
  end
  return lead < 0xE0 and 2 or lead < 0xF0 and 3 or 4
end

local utf8x = {}

--- Says whether a text is valid UTF-8 (no surrogates, nothing over U+10FFFF, nothing overlong).
---@param text string
---@return boolean
function utf8x.is_valid(text)
  return utf8_len(text) ~= nil
end

--- Replaces every broken sequence by one U+FFFD.
---@param text string
---@return string text
---@return boolean changed
function utf8x.repair(text)
  local _, bad = utf8_len(text)
  if not bad then
    return text, false
  end
  local parts, count, from = {}, 0, 1
  while bad do
    if bad > from then
      count = count + 1
      parts[count] = sub(text, from, bad - 1)
    end
    count = count + 1
    parts[count] = REPLACEMENT
    from = bad + broken_length(text, bad)
    if from > #text then
      break
    end
    _, bad = utf8_len(text, from)
  end
  parts[count + 1] = sub(text, from)
  return table.concat(parts), true
end

--- Cuts a text to at most so many bytes, never inside a character.
---@param text string
---@param max_bytes integer
---@return string text
function utf8x.cut(text, max_bytes)
  if #text <= max_bytes then
    return text
  end
  local stop = math.max(max_bytes, 0)
  for back = 0, math.min(3, stop) do
    local next_byte = byte(text, stop - back + 1)
    if next_byte < 0x80 or next_byte > 0xBF then
      return sub(text, 1, stop - back)
    end
  end
  return sub(text, 1, stop)
end

--- Counts the bytes at the end that begin a character which is not complete yet.
---@param text string
---@return integer bytes 0 to 3
function utf8x.incomplete_tail(text)
  local size = #text
  for count = 1, math.min(3, size) do
    local pos = size - count + 1
    local lead = byte(text, pos)
    if lead >= 0xC0 then
      local unfinished = needed_length(lead) > count and broken_length(text, pos) == count
      return unfinished and count or 0
    elseif lead < 0x80 then
      return 0
    end
  end
  return 0
end

return utf8x
