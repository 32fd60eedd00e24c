-- An image into the bytes that send it to a terminal, and those that draw it in so many cells.

local marks = require("panto.tui.images.marks")

local codes = {}

local CHUNK = 4096
local PLACEHOLDER = "\u{10EEEE}"
local SAVE, RESTORE = "\0277", "\0278"
local RESET = "\27[0m"

---@class panto.tui.ImagePlace
---@field cols integer cells that the image takes
---@field rows integer
---@field indent integer columns before it

--- How many cells a placeholder image can be wide or high.
codes.MAX_MARKS = #marks

--- Sends a PNG to a terminal of the Kitty protocol, which keeps it under an id; nothing is shown.
---@param id integer
---@param data string base64
---@return string bytes
function codes.send(id, data)
  local out = {}
  local keys = ("a=t,t=d,f=100,i=%d,q=2,"):format(id)
  for at = 1, #data, CHUNK do
    local more = at + CHUNK <= #data and 1 or 0
    out[#out + 1] = ("\27_G%sm=%d;%s\27\\"):format(keys, more, data:sub(at, at + CHUNK - 1))
    keys = "q=2,"
  end
  return table.concat(out)
end

--- Tells such a terminal how large the placeholders draw an image.
---@param id integer
---@param number integer tells several sizes of one image apart
---@param place panto.tui.ImagePlace
---@return string bytes
function codes.place(id, number, place)
  local keys = "\27_Ga=p,U=1,i=%d,p=%d,c=%d,r=%d,q=2\27\\"
  return keys:format(id, number, place.cols, place.rows)
end

--- Returns the rows of an image made of placeholders: text whose colours name image and size.
---@param id integer
---@param number integer
---@param place panto.tui.ImagePlace
---@return string[]
function codes.placeholders(id, number, place)
  local color = "\27[38;2;%d;%d;%dm\27[58;2;0;0;%dm"
  local start = color:format(id >> 16 & 255, id >> 8 & 255, id & 255, number)
  local lines, blanks = {}, (" "):rep(place.indent)
  for row = 1, place.rows do
    local cells = {}
    for col = 1, place.cols do
      cells[col] = PLACEHOLDER .. marks[row] .. marks[col]
    end
    lines[row] = blanks .. start .. table.concat(cells) .. RESET
  end
  return lines
end

-- From the last of the rows that the image takes to its first, and back behind the last.
local function from_last_row(place, bytes)
  local up = place.rows > 1 and ("\27[%dA"):format(place.rows - 1) or ""
  return ("%s%s\27[%dG%s%s"):format(SAVE, up, place.indent + 1, bytes, RESTORE)
end

--- Draws an image that was sent, as the content of the last of its rows; the others are blank.
---@param id integer
---@param place panto.tui.ImagePlace
---@return string bytes
function codes.kitty(id, place)
  local keys = "\27_Ga=p,i=%d,c=%d,r=%d,C=1,q=2\27\\"
  return from_last_row(place, keys:format(id, place.cols, place.rows))
end

--- Draws an image in the way of iTerm2, as the content of the last of its rows.
---@param data string base64
---@param size integer bytes of the image
---@param place panto.tui.ImagePlace
---@return string bytes
function codes.iterm(data, size, place)
  local keys = "\27]1337;File=inline=1;size=%d;width=%d;height=%d;"
    .. "preserveAspectRatio=1;doNotMoveCursor=1:"
  return from_last_row(place, keys:format(size, place.cols, place.rows) .. data .. "\7")
end

return codes
