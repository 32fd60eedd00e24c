-- Keeps the last bytes of an output of any length, and spills all of it to a file once it is long.
local tail = {}
local Tail = {}
Tail.__index = Tail

local COUNTED = 16 * 1024 * 1024
local MAX_CHUNKS = 512

---@class std.TailOptions
---@field max_bytes integer how much is shown at the end
---@field max_lines integer
---@field spill std.Spill takes what is too much: open() and write(bytes)

--- Creates an empty tail.
---@param options std.TailOptions
---@return table tail total (bytes seen), lines (newlines seen, nil when too many to count)
function tail.new(options)
  return setmetatable({
    options = options,
    chunks = {},
    first = 1,
    held = 0,
    total = 0,
    lines = 0,
    spilling = false,
  }, Tail)
end

local function count_newlines(chunk)
  local count, at, find = 0, 1, string.find
  while true do
    local stop = find(chunk, "\n", at, true)
    if not stop then
      return count
    end
    count, at = count + 1, stop + 1
  end
end

function Tail:_join()
  local joined = table.concat(self.chunks, "", self.first)
  self.chunks, self.first = { joined }, 1
  return joined
end

function Tail:_drop()
  local chunks, limit = self.chunks, self.options.max_bytes
  while chunks[self.first] and self.held - #chunks[self.first] > limit do
    self.held = self.held - #chunks[self.first]
    chunks[self.first] = false
    self.first = self.first + 1
  end
  if self.first > MAX_CHUNKS or #chunks - self.first > MAX_CHUNKS then
    self:_join()
  end
end

--- Takes the next bytes of the output.
---@param chunk string
function Tail:add(chunk)
  self.chunks[#self.chunks + 1] = chunk
  self.held = self.held + #chunk
  self.total = self.total + #chunk
  if self.lines then
    self.lines = self.total <= COUNTED and self.lines + count_newlines(chunk) or nil
  end
  local options = self.options
  local long = self.total > options.max_bytes or not self.lines or self.lines > options.max_lines
  if self.spilling then
    options.spill:write(chunk)
  elseif long then
    self.spilling = true
    options.spill:open()
    options.spill:write(self:_join())
  end
  if self.spilling then
    self:_drop()
  end
end

local function last_lines(text, max_lines)
  local _, count = text:gsub("\n", "")
  if text:byte(-1) ~= 10 then
    count = count + 1
  end
  local at = 1
  for _ = 1, count - max_lines do
    at = text:find("\n", at, true) + 1
  end
  return text:sub(at), math.min(count, max_lines)
end

--- Returns the last whole lines within the limits, and how many they are.
---@return string text
---@return integer shown
function Tail:text()
  local text, options = self:_join(), self.options
  if #text > options.max_bytes then
    text = text:sub(-options.max_bytes)
    local start = text:find("\n", 1, true)
    if start and start < #text then
      text = text:sub(start + 1)
    else
      text = text:gsub("^[\x80-\xBF]+", "", 1)
    end
  end
  if text == "" then
    return "", 0
  end
  return last_lines(text, options.max_lines)
end

--- Returns the number of lines seen, nil when they were too many to count.
---@return integer?
function Tail:line_count()
  if not self.lines or self.total == 0 then
    return self.lines
  end
  local last = self.chunks[#self.chunks]
  return last:byte(-1) == 10 and self.lines or self.lines + 1
end

return tail
