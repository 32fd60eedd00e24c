-- Turns chunks of a file into one page of whole lines, keeping no more than the page in memory.
local page = {}
local Page = {}
Page.__index = Page

---@class std.PageOptions
---@field first integer number of the first line wanted, from 1
---@field max_lines integer
---@field max_bytes integer limit of the page's text
---@field max_chars integer a longer line is cut

--- Creates a page that is fed chunks until it wants no more.
---@param options std.PageOptions
---@return table page lines, last (number of the last line taken), full, seen (lines ended so far)
function page.new(options)
  return setmetatable({
    options = options,
    cap = options.max_chars * 4 + 4,
    lines = {},
    bytes = 0,
    last = options.first - 1,
    full = false,
    seen = 0,
    kept = "",
    length = 0,
    crlf = 0,
  }, Page)
end

local function cut_line(line, length, max_chars)
  if #line <= max_chars then
    return line
  end
  local stop = utf8.offset(line, max_chars + 1)
  if not stop or (stop > #line and length == #line) then
    return line
  end
  local mark = "… [line cut: %d bytes long, the first %d characters are shown]"
  return line:sub(1, stop - 1) .. mark:format(length, max_chars)
end

function Page:_end_line()
  local number = self.seen + 1
  self.seen = number
  if number < self.options.first or self.full then
    return
  end
  local line = self.kept
  if self.length == #line and line:byte(-1) == 13 then
    line = line:sub(1, -2)
    self.length = self.length - 1
    self.crlf = self.crlf + 1
  end
  line = cut_line(line, self.length, self.options.max_chars)
  local full = #self.lines >= self.options.max_lines
  if full or self.bytes + #line + 1 > self.options.max_bytes then
    self.full = true
  else
    self.lines[#self.lines + 1] = line
    self.bytes = self.bytes + #line + 1
    self.last = number
  end
end

function Page:_keep(piece)
  self.length = self.length + #piece
  local room = self.cap - #self.kept
  if room > 0 and not self.full and self.seen + 1 >= self.options.first then
    self.kept = self.kept .. piece:sub(1, room)
  end
end

--- Takes the next chunk of the file.
---@param chunk string
function Page:feed(chunk)
  local at, find = 1, string.find
  while true do
    local stop = find(chunk, "\n", at, true)
    if not stop then
      break
    end
    if self.full or self.seen + 1 < self.options.first then
      self.seen = self.seen + 1
    else
      self:_keep(chunk:sub(at, stop - 1))
      self:_end_line()
    end
    self.kept, self.length = "", 0
    at = stop + 1
  end
  if at <= #chunk then
    self:_keep(chunk:sub(at))
  end
end

--- Takes the end of the file: a last line without a newline counts.
function Page:finish()
  if self.length > 0 then
    self:_end_line()
    self.kept, self.length = "", 0
  end
end

return page
