-- The first bytes of an image file into its format, width and height: PNG, JPEG, GIF, WebP.

local byte, find, sub, unpack = string.byte, string.find, string.sub, string.unpack

local image_size = {}

---@class panto.ImageSize
---@field format "PNG"|"JPEG"|"GIF"|"WebP"
---@field width integer? pixels; nil when the bytes end before they tell it
---@field height integer?

local function read_png(head)
  if #head >= 24 and sub(head, 13, 16) == "IHDR" then
    return unpack(">I4I4", head, 17)
  end
end

local function read_gif(head)
  if #head >= 10 then
    return unpack("<I2I2", head, 7)
  end
end

-- Markers that begin a frame and so hold its size; C4, C8 and CC are tables and extensions.
local function is_frame(marker)
  return marker == 0xC0 or marker > 0xC0 and marker <= 0xCF and marker & 3 ~= 0
end

local function is_bare(marker)
  return marker == 0x01 or marker >= 0xD0 and marker <= 0xD8
end

-- Goes from segment to segment; the picture's own data begins after the frame's head.
local function read_jpeg(head)
  local at = 3
  while true do
    local _, fill = find(head, "^\xFF+", at)
    local marker = fill and byte(head, fill + 1)
    if not marker or marker == 0xD9 or marker == 0xDA then
      return nil
    end
    at = fill + 2
    if is_frame(marker) then
      if #head < at + 6 then
        return nil
      end
      local height, width = unpack(">I2I2", head, at + 3)
      return width, height
    elseif not is_bare(marker) then
      if #head < at + 1 then
        return nil
      end
      at = at + math.max(2, (unpack(">I2", head, at)))
    end
  end
end

local WEBP = {}

-- Lossy: a frame tag of three bytes, a start code, then the sizes, whose upper bits scale.
WEBP["VP8 "] = function(head)
  if #head >= 30 and sub(head, 24, 26) == "\x9D\x01\x2A" then
    local width, height = unpack("<I2I2", head, 27)
    return width & 0x3FFF, height & 0x3FFF
  end
end

-- Lossless: a signature, then both sizes less one in 14 bits each.
WEBP["VP8L"] = function(head)
  if #head >= 25 and byte(head, 21) == 0x2F then
    local bits = unpack("<I4", head, 22)
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
  end
end

-- Extended: flags, then both sizes of the canvas less one in three bytes each.
WEBP["VP8X"] = function(head)
  if #head >= 30 then
    local width, height = unpack("<I3I3", head, 25)
    return width + 1, height + 1
  end
end

local function read_webp(head)
  local read = WEBP[sub(head, 13, 16)]
  if read then
    return read(head)
  end
end

local FORMATS = {
  { "^\x89PNG\r\n\x1A\n", "PNG", read_png },
  { "^\xFF\xD8\xFF", "JPEG", read_jpeg },
  { "^GIF8[79]a", "GIF", read_gif },
  { "^RIFF....WEBP", "WebP", read_webp },
}

--- Reads what an image is from its beginning. Of a JPEG that may take many bytes: what cameras
--- note stands before the size.
---@param head string the first bytes of the file
---@return panto.ImageSize? size nil for what is none of these images
function image_size.read(head)
  for _, entry in ipairs(FORMATS) do
    if find(head, entry[1]) then
      local width, height = entry[3](head)
      if not width or width == 0 or height == 0 then
        width, height = nil, nil
      end
      return { format = entry[2], width = width, height = height }
    end
  end
end

return image_size
