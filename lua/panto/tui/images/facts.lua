-- An image as a tool returns it into what has to be known of it to show it, and into a line of text.

local base64 = require("panto.base.base64")
local image_size = require("panto.base.image_size")
local plain = require("panto.tui.plain")

local facts = {}

-- In base64. A JPEG's size may stand behind what the camera noted.
local HEAD, LONG_HEAD = 64, 349528

---@class panto.tui.ImageFacts
---@field format string "PNG", or its media type when it is none of those that are known
---@field width integer? pixels
---@field height integer?
---@field size integer bytes
---@field data string base64
---@field is_clean boolean? known once it was asked for

local function read_head(data)
  local head = base64.decode(data:sub(1, HEAD))
  local found = head and image_size.read(head)
  if found and not found.width and #data > HEAD then
    head = base64.decode(data:sub(1, LONG_HEAD))
    found = head and image_size.read(head) or found
  end
  return found or {}
end

--- Reads an image; what its bytes say counts more than its media type.
---@param image { media_type: string, data: string }
---@return panto.tui.ImageFacts
function facts.read(image)
  local data = image.data
  local size = #data * 3 // 4 - #data:sub(-2):match("=*$")
  local found = read_head(data)
  local name = plain.clean(image.media_type):gsub("%s+", " ")
  return {
    format = found.format or name,
    width = found.width,
    height = found.height,
    size = size,
    data = data,
  }
end

local function size_text(bytes)
  if bytes < 1024 then
    return ("%d bytes"):format(bytes)
  elseif bytes < 1024 * 1024 then
    return ("%.0f KB"):format(bytes / 1024)
  end
  return ("%.1f MB"):format(bytes / 1024 / 1024)
end

--- Returns the line that tells of an image, as "[image: PNG 640×480, 12 KB]".
---@param image panto.tui.ImageFacts
---@return string
function facts.line(image)
  local pixels = image.width and (" %d×%d"):format(image.width, image.height) or ""
  return ("[image: %s%s, %s]"):format(image.format, pixels, size_text(image.size))
end

return facts
