-- Turns a file's bytes into the body that edits are located in (no BOM, LF line ends, a newline at
-- the end) and places of that body back into places of the bytes.
local source = {}
local Source = {}
Source.__index = Source

local BOM = "\xEF\xBB\xBF"

-- Where each carriage return was dropped: the body position of the newline that followed it.
local function drop_returns(bytes)
  local dropped = {}
  if not bytes:find("\r\n", 1, true) then
    return bytes, dropped
  end
  local pieces, at = {}, 1
  while true do
    local stop = bytes:find("\r\n", at, true)
    if not stop then
      break
    end
    pieces[#pieces + 1] = bytes:sub(at, stop - 1)
    at = stop + 1
    dropped[#dropped + 1] = stop - #dropped
  end
  pieces[#pieces + 1] = bytes:sub(at)
  return table.concat(pieces), dropped
end

--- Creates the source of a file's bytes.
---@param bytes string
---@return table source body, crlf (whether most lines end so)
function source.new(bytes)
  local self = setmetatable({ bom = "" }, Source)
  if bytes:sub(1, 3) == BOM then
    self.bom, bytes = BOM, bytes:sub(4)
  end
  self.bytes = bytes
  self.body, self.dropped = drop_returns(bytes)
  self.crlf = #self.dropped > 0 and #self.dropped * 2 >= select(2, self.body:gsub("\n", ""))
  self.open_end = self.body ~= "" and self.body:byte(-1) ~= 10
  if self.open_end then
    self.body = self.body .. "\n"
  end
  return self
end

-- A newline's place is its carriage return, so that a pair is never parted.
function Source:_byte_of(place)
  local low, high = 0, #self.dropped
  while low < high do
    local middle = (low + high + 1) // 2
    if self.dropped[middle] < place then
      low = middle
    else
      high = middle - 1
    end
  end
  return place + low
end

--- Returns the file's bytes with ranges of the body replaced.
---@param changes { from: integer, to: integer, text: string }[] sorted, apart; `to` is exclusive
---@return string
function Source:apply(changes)
  local pieces, at = { self.bom }, 1
  local bytes = self.open_end and self.bytes .. (self.crlf and "\r\n" or "\n") or self.bytes
  for _, change in ipairs(changes) do
    local text = self.crlf and change.text:gsub("\n", "\r\n") or change.text
    pieces[#pieces + 1] = bytes:sub(at, self:_byte_of(change.from) - 1)
    pieces[#pieces + 1] = text
    at = self:_byte_of(change.to)
  end
  pieces[#pieces + 1] = bytes:sub(at)
  local result = table.concat(pieces)
  if self.open_end and result:byte(-1) == 10 then
    result = result:sub(1, result:sub(-2) == "\r\n" and -3 or -2)
  end
  return result
end

--- Returns a text as it stands in a body: LF line ends only.
---@param text string
---@return string
function source.normal(text)
  return (text:gsub("\r\n", "\n"))
end

--- Returns the number of the line in which a place of the body stands.
---@param place integer
---@return integer
function Source:line_of(place)
  local _, before = self.body:sub(1, place - 1):gsub("\n", "")
  return before + 1
end

return source
