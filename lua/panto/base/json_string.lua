-- The strings of a JSON text, with their escapes, into what they say.

local utf8x = require("panto.base.utf8x")

local byte, find, match, sub, gsub = string.byte, string.find, string.match, string.sub, string.gsub
local tonumber = tonumber

local REPLACEMENT = "\u{FFFD}"
local PLAIN_STRING = '^"([^"\\]*)"()'

local ESCAPES = {
  ['"'] = '"',
  ["\\"] = "\\",
  ["/"] = "/",
  b = "\b",
  f = "\f",
  n = "\n",
  r = "\r",
  t = "\t",
}

-- What gsub replaces the escapes of two characters by; it notes when it meets any other.
local met_other_escape = false
local ESCAPE_PAIRS = setmetatable({}, {
  __index = function()
    met_other_escape = true
  end,
})
for letter, character in pairs(ESCAPES) do
  ESCAPE_PAIRS["\\" .. letter] = character
end

-- utf8.char writes surrogates as three bytes each: joins the pairs, replaces the lone ones.
local function join_surrogates(text)
  text = gsub(text, "\xED[\xA0-\xAF][\x80-\xBF]\xED[\xB0-\xBF][\x80-\xBF]", function(pair)
    local high, low = utf8.codepoint(pair, 1, 6, true)
    return utf8.char(0x10000 + (high - 0xD800 << 10) + (low - 0xDC00))
  end)
  return (gsub(text, "\xED[\xA0-\xBF][\x80-\xBF]", REPLACEMENT))
end

-- Resolves the escapes of a string's inside; pos is the position of its opening quote.
local function unescape(raw, pos)
  local text = gsub(raw, "\\.", ESCAPE_PAIRS)
  if not met_other_escape then
    return text
  end
  met_other_escape = false
  local bad, surrogates
  text = gsub(raw, "()\\(.)(%x?%x?%x?%x?)", function(at, letter, digits)
    if letter == "u" and #digits == 4 then
      local code = tonumber(digits, 16)
      surrogates = surrogates or (code >= 0xD800 and code <= 0xDFFF)
      return utf8.char(code)
    end
    local character = ESCAPES[letter]
    if not character then
      bad = bad or at
      return nil
    end
    return character .. digits
  end)
  if bad then
    return nil, pos + bad, "invalid escape in a string"
  end
  return surrogates and join_surrogates(text) or text
end

local json_string = {}

--- Finds the quote that ends the string whose opening quote is at pos.
---@param text string
---@param pos integer
---@return integer?
function json_string.string_end(text, pos)
  local stop = find(text, '"', pos + 1, true)
  while stop and byte(text, stop - 1) == 92 do
    local first = stop - 1
    while byte(text, first - 1) == 92 do
      first = first - 1
    end
    if (stop - first) % 2 == 0 then
      return stop
    end
    stop = find(text, '"', stop + 1, true)
  end
  return stop
end

local string_end = json_string.string_end

--- Reads a string of a text known to be valid UTF-8 without control characters.
---@param text string
---@param pos integer where its opening quote is
---@return string? value
---@return integer after the position after it, or that of the mistake
---@return string? problem
function json_string.read_clean(text, pos)
  local plain, after = match(text, PLAIN_STRING, pos)
  if plain then
    return plain, after
  end
  local stop = string_end(text, pos)
  if not stop then
    return nil, pos, "unfinished string"
  end
  local raw = sub(text, pos + 1, stop - 1)
  local value, at, problem = unescape(raw, pos)
  return value, value and stop + 1 or at, problem
end

--- Reads a string of any text: control characters are refused, broken UTF-8 becomes U+FFFD.
---@param text string
---@param pos integer where its opening quote is
---@return string? value
---@return integer after the position after it, or that of the mistake
---@return string? problem
function json_string.read_any(text, pos)
  local stop = string_end(text, pos)
  local raw = sub(text, pos + 1, stop and stop - 1)
  local control = find(raw, "[\0-\31]")
  if control then
    return nil, pos + control, "control character in a string (it must be escaped)"
  end
  if not stop then
    return nil, pos, "unfinished string"
  end
  local value, at, problem = unescape(utf8x.repair(raw), pos)
  return value, value and stop + 1 or at, problem
end

--- Reads what stands between the quotes of a string; nil when that is no whole one.
---@param raw string
---@return string?
function json_string.inside(raw)
  if find((gsub(raw, "\\.", "")), '[\0-\31"\\]') then
    return nil
  end
  return (unescape((utf8x.repair(raw)), 0))
end

return json_string
