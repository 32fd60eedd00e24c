-- The images of one screen: which the terminal can show, in how many cells, and what it still has
-- to be sent. A row that draws an image stands in the lines under a name until it is written.

local codes = require("panto.tui.images.codes")

local images = {}

local Images = {}
Images.__index = Images

-- Larger ones would hold up the keys on a slow line.
local MAX_BYTES, MAX_PIXELS = 2 * 1024 * 1024, 10000
local MAX_COLS, MAX_ROWS = math.min(100, codes.MAX_MARKS), 20
-- Editor, footer and the title of a call are to be seen beside it.
local OTHER_ROWS = 6
local LAST_ID = 0xFFFFFF

---@class panto.tui.ImagesOptions
---@field graphics panto.tui.Graphics
---@field first_id integer another one in each process: a terminal keeps one image for an id

---@class panto.tui.Images
---@field graphics panto.tui.Graphics
---@field rows integer height of the screen
---@field next_id integer
---@field unsent string[] bytes that the next frame begins with
---@field drawings table<string, string> by the line that stands for it
---@field sent table<panto.tui.ImageFacts, panto.tui.SentImage>

---@class panto.tui.SentImage what a Kitty terminal knows
---@field id integer
---@field sizes integer how many sizes it was placed in
---@field lines table<string, string[]> its placeholders by size

--- Makes it; without a terminal that answers every image is a line of text.
---@param options panto.tui.ImagesOptions
---@return panto.tui.Images
function images.new(options)
  return setmetatable({
    graphics = options.graphics,
    next_id = math.max(1, options.first_id & LAST_ID),
    rows = 24,
    unsent = {},
    drawings = {},
    drawn = 0,
    sent = setmetatable({}, { __mode = "k" }),
  }, Images)
end

--- Takes the height of the screen.
---@param rows integer
function Images:set_rows(rows)
  self.rows = rows
end

-- The data becomes part of a control string: nothing but base64 may stand in it.
local function is_clean(image)
  if image.is_clean == nil then
    image.is_clean = not image.data:find("[^%w+/=]")
  end
  return image.is_clean
end

local function is_possible(self, image)
  local protocol = self.graphics.protocol
  if not protocol or not image.width or image.size > MAX_BYTES then
    return false
  elseif math.max(image.width, image.height) > MAX_PIXELS then
    return false
  end
  return (protocol == "iterm" or image.format == "PNG") and is_clean(image)
end

--- Returns the cells that an image takes, nil when it is to be a line of text.
---@param image panto.tui.ImageFacts
---@param width integer columns there are
---@param indent integer how many of them are to stay blank before it
---@return panto.tui.ImagePlace?
function Images:place(image, width, indent)
  if not is_possible(self, image) then
    return nil
  end
  local wide, high = self.graphics.cell_width, self.graphics.cell_height
  local max_cols = math.min(MAX_COLS, width - indent)
  local max_rows = math.min(MAX_ROWS, self.rows - OTHER_ROWS)
  if max_cols < 2 or max_rows < 1 then
    return nil
  end
  local scale = math.min(1, max_cols * wide / image.width, max_rows * high / image.height)
  local cols = math.ceil(image.width * scale / wide - 0.01)
  local rows = math.ceil(image.height * scale / high - 0.01)
  return {
    cols = math.max(1, math.min(max_cols, cols)),
    rows = math.max(1, math.min(max_rows, rows)),
    indent = indent,
  }
end

-- What a Kitty terminal knows of an image; it is sent when it is first drawn.
local function send(self, image)
  local known = self.sent[image]
  if not known then
    known = { id = self.next_id, sizes = 0, lines = {} }
    self.next_id = self.next_id % LAST_ID + 1
    self.sent[image] = known
    self.unsent[#self.unsent + 1] = codes.send(known.id, image.data)
  end
  return known
end

local function placeholders(self, image, place)
  local known = send(self, image)
  local size = ("%d %d %d"):format(place.cols, place.rows, place.indent)
  if not known.lines[size] then
    known.sizes = known.sizes + 1
    known.lines[size] = codes.placeholders(known.id, known.sizes, place)
    self.unsent[#self.unsent + 1] = codes.place(known.id, known.sizes, place)
  end
  return known.lines[size]
end

--- Returns the rows of an image while they may still be drawn again: text that is the image where
--- the terminal knows that, else none.
---@param image panto.tui.ImageFacts
---@param width integer
---@param indent integer
---@return string[]
function Images:live_rows(image, width, indent)
  local place = self.graphics.protocol == "placeholders" and self:place(image, width, indent)
  return place and placeholders(self, image, place) or {}
end

--- Returns the rows of an image that are written once and for good.
---@param image panto.tui.ImageFacts
---@param width integer
---@param indent integer
---@return string[]
function Images:final_rows(image, width, indent)
  local protocol = self.graphics.protocol
  local place = self:place(image, width, indent)
  if not place or protocol == "placeholders" then
    return self:live_rows(image, width, indent)
  end
  local lines = {}
  for row = 1, place.rows - 1 do
    lines[row] = ""
  end
  self.drawn = self.drawn + 1
  local name = ("\27_image %d\27\\"):format(self.drawn)
  self.drawings[name] = protocol == "kitty" and codes.kitty(send(self, image).id, place)
    or codes.iterm(image.data, image.size, place)
  lines[place.rows] = name
  return lines
end

--- Returns what a line that stands for a drawing is to be written as, once; nil for any other line.
---@param line string
---@return string? bytes
function Images:take_drawing(line)
  local bytes = self.drawings[line]
  self.drawings[line] = nil
  return bytes
end

--- Returns what has to be sent before the next frame; empty mostly.
---@return string bytes
function Images:take_unsent()
  if not self.unsent[1] then
    return ""
  end
  local bytes = table.concat(self.unsent)
  self.unsent = {}
  return bytes
end

return images
