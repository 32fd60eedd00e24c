-- Turns text into terminal columns: how wide it is, where it wraps, where it has to be cut.
-- Plain ASCII is measured here; everything else by the host, one grapheme cluster at a time.
local estimate = require("panto.sys.width")

local host = package.loaded["panto.host"]
local byte, find, gsub, sub = string.byte, string.find, string.gsub, string.sub

local text = {}

local ESCAPE = "^\27%[[0-?]*[ -/]*[@-~]"
local LINK = "^\27%]8;[ -~]-\27\\"
local RESET, UNLINK = "\27[0m", "\27]8;;\27\\"
local CACHE_ENTRIES, CACHE_BYTES = 4096, 64
-- What a cluster measures never changes, so this table is a memo and no state.
local known, entries = {}, 0

-- Characters that are one cluster of one column whatever stands beside them but a mark, which none
-- of these ranges holds: Latin, Greek, Cyrillic, dashes and quotes, arrows, boxes, Braille.
local SINGLE = {
  { 0xA1, 0xAC },
  { 0xAE, 0x2FF },
  { 0x370, 0x482 },
  { 0x48A, 0x52F },
  { 0x2010, 0x2027 },
  { 0x2030, 0x203B },
  { 0x2190, 0x2193 },
  { 0x2200, 0x22FF },
  { 0x2500, 0x25A9 },
  { 0x25CF, 0x25CF },
  { 0x2800, 0x28FF },
}

-- The end of text whose last character (Unicode: Prepend) is one cluster with what follows it:
-- Arabic number signs and their like.
local PREPENDED = "\xD8[\x80-\x85]$"

local function is_single(code)
  for _, range in ipairs(SINGLE) do
    if code <= range[2] then
      return code >= range[1]
    end
  end
  return false
end

-- The clusters of a chunk of such characters; nil for any other. It spares the host's tables.
local function split_single(chunk)
  local list = {}
  for at, code in utf8.codes(chunk) do
    if not is_single(code) then
      return nil
    end
    list[#list + 1] = (utf8.offset(chunk, 2, at) or #chunk + 1) - at
    list[#list + 1] = 1
  end
  return list
end

local function ask(chunk)
  local single = utf8.len(chunk) and split_single(chunk)
  if single then
    return single
  end
  local spec = host and utf8.len(chunk) and host.text_graphemes(chunk)
  if not spec then
    return estimate.graphemes(chunk)
  end
  local list = {}
  for bytes, cols in spec:gmatch("(%d+):(%d+)") do
    list[#list + 1] = tonumber(bytes)
    list[#list + 1] = tonumber(cols)
  end
  return list
end

local function measure(chunk)
  local list = known[chunk]
  if list then
    return list
  end
  list = ask(chunk)
  if #chunk <= CACHE_BYTES then
    if entries >= CACHE_ENTRIES then
      known, entries = {}, 0
    end
    known[chunk], entries = list, entries + 1
  end
  return list
end

-- The last byte of the ASCII token at i, its columns, and whether a mark may follow it.
local function ascii_token(s, i, code)
  if code == 27 then
    local _, last = find(s, ESCAPE, i)
    if not last then
      _, last = find(s, LINK, i)
    end
    return last or i, 0, false
  end
  if code < 32 or code == 127 then
    return i, 0, false
  end
  local after = byte(s, i + 1)
  return i, 1, after ~= nil and after > 127
end

--- Iterates over the grapheme clusters of text; an escape sequence is one piece of no width.
---@param s string
---@return fun(): string?, integer?, integer? iterator the piece, its columns, its first byte
function text.graphemes(s)
  local i, list, k = 1, nil, 1
  return function()
    if list and not list[k] then
      list = nil
    end
    if not list then
      local code = byte(s, i)
      if not code then
        return nil
      end
      if code < 128 then
        local last, cols, marked = ascii_token(s, i, code)
        if not marked then
          local first = i
          i = last + 1
          return sub(s, first, last), cols, first
        end
      end
      local stop = find(s, "[^\128-\255]", i + 1) or #s + 1
      local chunk = sub(s, i, stop - 1)
      if find(chunk, PREPENDED) and find(sub(s, stop, stop), "[ -~]") then
        chunk = sub(s, i, stop)
      end
      list, k = measure(chunk), 1
    end
    local first, cols = i, list[k + 1]
    i = i + list[k]
    k = k + 2
    return sub(s, first, i - 1), cols, first
  end
end

-- Text as letters of one column each, escape sequences left out; nil when that takes more than this.
local function bare_of(s)
  if find(s, "\27", 1, true) then
    s = gsub(s, "\27%[[0-?]*[ -/]*[@-~]", "")
    if find(s, "\27", 1, true) then
      s = gsub(s, "\27%]8;[ -~]-\27\\", "")
    end
  end
  if find(s, "[\xC2\xC3\xE2]") then -- accents, dashes, quotes, bullets, boxes, Braille
    s = gsub(s, "[\xC2\xC3][\xAE-\xBF]", "-")
    s = gsub(s, "\xC3[\x80-\xAD]", "-")
    s = gsub(s, "\xE2\x80[\x93-\xA6\xB9\xBA]", "-")
    s = gsub(s, "\xE2[\x94\x95\xA0-\xA3][\x80-\xBF]", "-")
  end
  return not find(s, "[^ -~]") and s or nil
end

--- Returns how many columns text takes; escape sequences and control characters take none.
---@param s string
---@return integer columns
function text.width(s)
  local bare = bare_of(s)
  if bare then
    return #bare
  end
  local total = 0
  for _, cols in text.graphemes(s) do
    total = total + cols
  end
  return total
end

--- Cuts text after so many columns and returns it with its width; styles are closed.
---@param s string
---@param cols integer
---@return string cut
---@return integer columns
function text.cut(s, cols)
  if not find(s, "[^ -~]") then
    return #s <= cols and s or sub(s, 1, cols), math.min(#s, cols)
  end
  local bare = bare_of(s)
  if bare and #bare <= cols then
    return s, #bare
  end
  local total, styled = 0, false
  for piece, wide, first in text.graphemes(s) do
    if total + wide > cols then
      local kept = sub(s, 1, first - 1)
      local linked = find(kept, "\27]8;", 1, true) and UNLINK or ""
      return kept .. (styled and RESET or "") .. linked, total
    end
    styled = styled or byte(piece) == 27
    total = total + wide
  end
  return s, total
end

-- Spans of an ASCII line without escapes: byte arithmetic only.
local function plain_spans(s, cols)
  local starts, stops, i, n = { 1 }, {}, 1, #s
  while n - i + 1 > cols do
    local limit = i + cols
    local stop, next_start
    if byte(s, limit) == 32 then
      stop, next_start = limit - 1, find(s, "[^ ]", limit)
    else
      local space = sub(s, i, limit - 1):match("^ *[^ ].*() ")
      if space then
        stop, next_start = i + space - 2, i + space
      else
        stop, next_start = limit - 1, limit
      end
    end
    if not next_start then
      stops[#stops + 1] = stop
      return starts, stops
    end
    local tail = find(sub(s, i, stop), " +$")
    stops[#stops + 1] = tail and i + tail - 2 or stop
    i = next_start
    starts[#starts + 1] = i
  end
  stops[#stops + 1] = n
  return starts, stops
end

-- One line being filled: where it starts, how wide it is, and the last place it may break.
local function new_fill()
  return { start = 1, width = 0, content = 0, next_start = nil, next_width = 0, stop = 0 }
end

local function mark_break(fill, next_start)
  if fill.content >= fill.start then
    fill.next_start, fill.next_width, fill.stop = next_start, fill.width, fill.content
  end
end

local function break_before(fill, first, starts, stops)
  if fill.next_start then
    stops[#stops + 1] = fill.stop
    fill.start, fill.width = fill.next_start, fill.width - fill.next_width
  else
    local blank = fill.content < fill.start
    stops[#stops + 1] = blank and fill.start - 1 or first - 1
    fill.start, fill.width = first, 0
  end
  fill.next_start = nil
  starts[#starts + 1] = fill.start
end

local function styled_spans(s, cols)
  local starts, stops, fill = { 1 }, {}, new_fill()
  for piece, wide, first in text.graphemes(s) do
    local last = first + #piece - 1
    if piece == " " then
      if fill.width < cols then
        fill.width = fill.width + 1
      end
      mark_break(fill, last + 1)
    elseif wide > 0 then
      if wide == 2 then
        mark_break(fill, first)
      end
      while fill.width > 0 and fill.width + wide > cols do
        break_before(fill, first, starts, stops)
      end
      fill.width, fill.content = fill.width + wide, last
      if wide == 2 then
        mark_break(fill, last + 1)
      end
    end
  end
  local hangs = text.width(sub(s, fill.start)) > cols
  stops[#stops + 1] = hangs and fill.content or #s
  return starts, stops
end

--- Finds where one line (no newline in it) wraps: first and last byte of each row.
--- Spaces at a break belong to no row; a word longer than a row is parted.
---@param s string
---@param cols integer
---@return integer[] starts
---@return integer[] stops
function text.spans(s, cols)
  cols = math.max(cols, 1)
  if not find(s, "[^ -~]") then
    return plain_spans(s, cols)
  end
  return styled_spans(s, cols)
end

-- The styles that are on after a piece of text, given those that were on before it.
local function active_after(active, piece)
  for sequence, params in piece:gmatch("(\27%[([%d;:]*)m)") do
    if params == "" or params == "0" then
      active = ""
    elseif params:sub(1, 2) == "0;" then
      active = sequence
    else
      active = active .. sequence
    end
  end
  return active
end

local function add_rows(lines, s, cols, active)
  local starts, stops = text.spans(s, cols)
  if active == "" and not find(s, "\27", 1, true) then
    for row = 1, #starts do
      lines[#lines + 1] = sub(s, starts[row], stops[row])
    end
    return active
  end
  for row = 1, #starts do
    local body = sub(s, starts[row], stops[row])
    local before = active
    local after = active_after(active, body)
    active = active_after(active, sub(s, starts[row], (starts[row + 1] or #s + 1) - 1))
    lines[#lines + 1] = before .. body .. (after ~= "" and RESET or "")
  end
  return active
end

--- Wraps text at words into rows of at most so many columns; styles go on over a break.
---@param s string
---@param cols integer
---@return string[] lines
function text.wrap(s, cols)
  if #s <= cols and not find(s, "[^ -~]") then
    return { s }
  end
  local lines, active, i = {}, "", 1
  while true do
    local stop = find(s, "\n", i, true)
    active = add_rows(lines, sub(s, i, (stop or #s + 1) - 1), cols, active)
    if not stop then
      return lines
    end
    i = stop + 1
  end
end

--- Tells whether text is printable ASCII only, so that a byte is a column.
---@param s string
---@return boolean
function text.is_plain(s)
  return not find(s, "[^ -~]")
end

return text
