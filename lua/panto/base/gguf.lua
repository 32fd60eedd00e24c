-- The beginning of a GGUF model file into one text of its metadata.

local gguf = {}

-- The sizes of the fixed value types by their number; 8 is a text, 9 a list.
local SIZES = { [0] = 1, 1, 2, 2, 4, 4, 4, 1, [10] = 8, [11] = 8, [12] = 8 }
local TEXT, LIST = 8, 9

-- Reads a number; nil where the bytes end.
local function number(bytes, at, size)
  if not at or at + size - 1 > #bytes then
    return nil
  end
  return ("<I" .. size):unpack(bytes, at)
end

local function text_end(bytes, at)
  local length, start = number(bytes, at, 8)
  return length and length >= 0 and start + length or nil
end

-- Where a value ends; nil when that is behind the bytes, or the kind is unknown.
local function skip(bytes, at, kind)
  if kind == TEXT then
    return text_end(bytes, at)
  elseif kind ~= LIST then
    return SIZES[kind] and at + SIZES[kind]
  end
  local inner, count
  inner, at = number(bytes, at, 4)
  count, at = number(bytes, at, 8)
  if not count then
    return nil
  elseif SIZES[inner] then
    return at + SIZES[inner] * count
  end
  for _ = 1, count do
    at = skip(bytes, at, inner)
    if not at or at > #bytes then
      return nil
    end
  end
  return at
end

--- Returns the text of a metadata key.
---@param bytes string the file's beginning, with all of its metadata
---@param key string
---@return string?
---@return string? message
function gguf.text(bytes, key)
  if bytes:sub(1, 4) ~= "GGUF" then
    return nil, "it is no GGUF file"
  end
  local count, at = number(bytes, 17, 8)
  for _ = 1, count or 0 do
    local name_start, name_end = at, text_end(bytes, at)
    local kind, start = number(bytes, name_end, 4)
    if not kind then
      break
    end
    at = skip(bytes, start, kind)
    if not at or at > #bytes + 1 then
      break
    elseif kind == TEXT and bytes:sub(name_start + 8, name_end - 1) == key then
      return bytes:sub(start + 8, at - 1)
    end
  end
  return nil, ("its metadata has no text %q"):format(key)
end

return gguf
