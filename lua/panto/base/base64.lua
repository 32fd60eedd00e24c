-- Bytes into base64 text (RFC 4648) and back.

local byte, char, sub = string.byte, string.char, string.sub
local concat = table.concat

local LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local VALUES = { [byte("-")] = 62, [byte("_")] = 63 }
for index = 1, 64 do
  VALUES[byte(LETTERS, index)] = index - 1
end

-- Two letters for each value of 12 bits, written when they are first asked for.
local PAIRS = setmetatable({}, {
  __index = function(pairs_of, value)
    local high, low = (value >> 6) + 1, (value & 63) + 1
    local pair = sub(LETTERS, high, high) .. sub(LETTERS, low, low)
    pairs_of[value] = pair
    return pair
  end,
})

local base64 = {}

--- Writes bytes as base64 with padding.
---@param bytes string
---@return string text
function base64.encode(bytes)
  local out, count = {}, 0
  local size = #bytes
  local whole = size - size % 3
  for pos = 1, whole, 3 do
    local a, b, c = byte(bytes, pos, pos + 2)
    out[count + 1] = PAIRS[a << 4 | b >> 4]
    count = count + 2
    out[count] = PAIRS[(b & 15) << 8 | c]
  end
  if whole < size then
    local a, b = byte(bytes, whole + 1, size)
    out[count + 1] = PAIRS[a << 4 | (b or 0) >> 4]
    local third = ((b or 0) & 15) * 4 + 1
    out[count + 2] = b and sub(LETTERS, third, third) .. "=" or "=="
  end
  return concat(out)
end

--- Reads base64, also its URL form, with or without padding; blanks are skipped.
---@param text string
---@return string? bytes
---@return string? message
function base64.decode(text)
  local letters = text:gsub("%s+", ""):gsub("=?=?$", "")
  local bad = letters:find("[^%w+/_-]")
  if bad then
    return nil, ("not base64: unexpected character at position %d"):format(bad)
  elseif #letters % 4 == 1 then
    return nil, "not base64: it ends in the middle of a byte"
  end
  local out, count = {}, 0
  local size = #letters
  for pos = 1, size - 3, 4 do
    local a, b, c, d = byte(letters, pos, pos + 3)
    local bits = VALUES[a] << 18 | VALUES[b] << 12 | VALUES[c] << 6 | VALUES[d]
    count = count + 1
    out[count] = char(bits >> 16, bits >> 8 & 255, bits & 255)
  end
  local rest = size % 4
  if rest > 0 then
    local a, b, c = byte(letters, size - rest + 1, size)
    local bits = VALUES[a] << 10 | VALUES[b] << 4 | (c and VALUES[c] >> 2 or 0)
    out[count + 1] = rest == 2 and char(bits >> 8) or char(bits >> 8, bits & 255)
  end
  return concat(out)
end

return base64
