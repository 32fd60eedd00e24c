-- Turns a prompt that was sent into lines marked as the user's; of a huge one its two ends.
local cache = require("panto.tui.cache")
local text_component = require("panto.tui.components.text")
local utf8x = require("panto.base.utf8x")

local user_text = {}

local UserText = {}
UserText.__index = UserText

local WHOLE_BYTES, WHOLE_LINES = 16384, 200
local HEAD_BYTES, HEAD_LINES = 2000, 20
local TAIL_BYTES, TAIL_LINES = 1000, 10

---@class panto.tui.UserTextOptions
---@field text string
---@field theme panto.tui.Theme
---@field note string? a muted word behind it, as "queued"

---@class panto.tui.UserText
---@field text string

--- Makes the component.
---@param options panto.tui.UserTextOptions
---@return panto.tui.UserText
function user_text.new(options)
  return setmetatable({
    text = options.text,
    theme = options.theme,
    note = options.note,
    cache = cache.new(),
  }, UserText)
end

local function size_text(bytes)
  if bytes < 1e6 then
    return ("%.0f kB"):format(bytes / 1000)
  end
  return ("%.1f MB"):format(bytes / 1e6)
end

-- The first lines, at least a part of the first one.
local function head_of(s)
  local head, stop = utf8x.cut(s, HEAD_BYTES), 0
  for _ = 1, HEAD_LINES do
    local line_end = head:find("\n", stop + 1, true)
    if not line_end then
      break
    end
    stop = line_end
  end
  return stop > 0 and head:sub(1, stop - 1) or head
end

-- The last lines, at least a part of the last one.
local function tail_of(s)
  local tail = s:sub(-TAIL_BYTES):gsub("%s+$", "")
  local lines = {}
  for line in (tail .. "\n"):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line
  end
  if #lines > 1 then
    table.remove(lines, 1)
  end
  tail = table.concat(lines, "\n", math.max(1, #lines - TAIL_LINES + 1))
  return (tail:gsub("^[\x80-\xBF]+", ""))
end

-- A huge prompt is sent whole, but would fill the scrollback.
local function fold(s)
  if #s <= WHOLE_BYTES then
    local _, breaks = s:gsub("\n", "")
    if breaks <= WHOLE_LINES then
      return (s:gsub("%s+$", ""))
    end
  end
  local head, tail = head_of(s), tail_of(s)
  return ("%s\n… %s more …\n%s"):format(head, size_text(#s - #head - #tail), tail)
end

--- Renders the prompt, wrapped under its mark.
---@param width integer
---@return string[]
function UserText:render(width)
  local lines = self.cache:get(width, function()
    local mark = self.theme:paint("user", "› ")
    local body = text_component.new({
      text = fold(self.text),
      theme = self.theme,
      style = "user",
      first = mark,
      indent = "  ",
    })
    local rows = body:render(width)
    if self.note then
      rows[#rows + 1] = "  " .. self.theme:paint("muted", self.note)
    end
    return rows
  end)
  return table.move(lines, 1, #lines, 1, {})
end

--- Returns how many leading lines are final: all of them.
---@param width integer
---@return integer
function UserText:settled(width)
  return #self:render(width)
end

return user_text
