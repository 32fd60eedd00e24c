-- Turns non-ASCII text into clusters and columns without the host: a small built-in estimate.
-- Used by specs under a plain interpreter and for bytes that are no UTF-8.
local width = {}

local ZERO = {
  { 0x300, 0x36F },
  { 0x483, 0x489 },
  { 0x591, 0x5BD },
  { 0x610, 0x61A },
  { 0x64B, 0x65F },
  { 0x900, 0x902 },
  { 0x93C, 0x93C },
  { 0x941, 0x948 },
  { 0x94D, 0x94D },
  { 0xE31, 0xE31 },
  { 0xE34, 0xE3A },
  { 0xE47, 0xE4E },
  { 0x1AB0, 0x1AFF },
  { 0x1DC0, 0x1DFF },
  { 0x200B, 0x200F },
  { 0x202A, 0x202E },
  { 0x2060, 0x2064 },
  { 0x20D0, 0x20FF },
  { 0xFE00, 0xFE0F },
  { 0xFE20, 0xFE2F },
  { 0xFEFF, 0xFEFF },
  { 0x1F3FB, 0x1F3FF },
  { 0xE0020, 0xE007F },
  { 0xE0100, 0xE01EF },
}
local WIDE = {
  { 0x1100, 0x115F },
  { 0x231A, 0x231B },
  { 0x23E9, 0x23EC },
  { 0x23F0, 0x23F0 },
  { 0x25FD, 0x25FE },
  { 0x2614, 0x2615 },
  { 0x2648, 0x2653 },
  { 0x26A1, 0x26A1 },
  { 0x26BD, 0x26BE },
  { 0x2705, 0x2705 },
  { 0x270A, 0x270B },
  { 0x2728, 0x2728 },
  { 0x274C, 0x274C },
  { 0x2753, 0x2755 },
  { 0x2795, 0x2797 },
  { 0x2B50, 0x2B50 },
  { 0x2E80, 0x303E },
  { 0x3041, 0x33FF },
  { 0x3400, 0x4DBF },
  { 0x4E00, 0x9FFF },
  { 0xA000, 0xA4CF },
  { 0xAC00, 0xD7A3 },
  { 0xF900, 0xFAFF },
  { 0xFE30, 0xFE6F },
  { 0xFF00, 0xFF60 },
  { 0xFFE0, 0xFFE6 },
  { 0x1F300, 0x1F64F },
  { 0x1F680, 0x1F6FF },
  { 0x1F900, 0x1F9FF },
  { 0x1FA70, 0x1FAFF },
  { 0x20000, 0x3FFFD },
}
local JOINER, EMOJI_STYLE = 0x200D, 0xFE0F
local REGIONAL_FIRST, REGIONAL_LAST = 0x1F1E6, 0x1F1FF

local function within(ranges, code)
  local low, high = 1, #ranges
  while low <= high do
    local middle = (low + high) // 2
    local range = ranges[middle]
    if code < range[1] then
      high = middle - 1
    elseif code > range[2] then
      low = middle + 1
    else
      return true
    end
  end
  return false
end

local function columns(code)
  if within(ZERO, code) then
    return 0
  end
  return within(WIDE, code) and 2 or 1
end

local function is_regional(code)
  return code >= REGIONAL_FIRST and code <= REGIONAL_LAST
end

-- The code point that starts at byte i and its length; nil and 1 for a byte that starts none.
local function point(s, i)
  local length = utf8.len(s, i, i)
  if not length then
    return nil, 1
  end
  local code = utf8.codepoint(s, i)
  return code, code < 0x80 and 1 or code < 0x800 and 2 or code < 0x10000 and 3 or 4
end

local function joins(state, code)
  if not code then
    return false
  end
  if state.joined or code == JOINER or within(ZERO, code) then
    return true
  end
  return state.regional and is_regional(code)
end

--- Splits text into grapheme clusters and returns them as a flat list: bytes, columns, bytes, …
---@param s string
---@return integer[]
function width.graphemes(s)
  local list, i = {}, 1
  while i <= #s do
    local first = i
    local code, length = point(s, i)
    local cols = code and columns(code) or 1
    local state = { joined = false, regional = code ~= nil and is_regional(code) }
    i = i + length
    while i <= #s do
      local extra, extra_length = point(s, i)
      if not joins(state, extra) then
        break
      end
      if extra == EMOJI_STYLE or state.regional and is_regional(extra) then
        cols = 2
      end
      state.joined = extra == JOINER
      state.regional = false
      i = i + extra_length
    end
    list[#list + 1] = i - first
    list[#list + 1] = cols
  end
  return list
end

return width
