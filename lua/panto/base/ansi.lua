-- Text from anywhere, into text that cannot move the cursor, set colours or hide what it says.

local utf8x = require("panto.base.utf8x")

local byte, find, gsub, match, sub = string.byte, string.find, string.gsub, string.match, string.sub
local format = string.format

local CONTROL_RUN = "^[^\0-\7\11\12\14-\31\127]*()"
local ESCAPE_RUN = "^[^\27]*()"

-- The position after the control string (OSC, DCS, APC, PM, SOS) whose content starts at pos. One
-- that is never ended takes the rest of its line only, so that it cannot swallow the whole text.
local function after_string(text, pos)
  local stop = find(text, "[\7\24\26\27]", pos)
  local ended = stop and byte(text, stop)
  if ended == 7 then
    return stop + 1
  elseif ended == 27 and byte(text, stop + 1) == 92 then
    return stop + 2
  end
  stop = stop or #text + 1
  local line_end = find(sub(text, pos, stop - 1), "\n", 1, true)
  return line_end and pos + line_end - 1 or stop
end

-- The position after the escape sequence that starts at pos.
local function after_escape(text, pos)
  local kind = byte(text, pos + 1)
  if kind == 0x5B then
    return match(text, "^[\x30-\x3F]*[\x20-\x2F]*[\x40-\x7E]?()", pos + 2)
  elseif kind == 0x5D or kind == 0x50 or kind == 0x58 or kind == 0x5E or kind == 0x5F then
    return after_string(text, pos + 2)
  elseif kind and kind >= 0x20 and kind <= 0x7E then
    return match(text, "^[\x20-\x2F]*[\x30-\x7E]?()", pos + 1)
  end
  return pos + 1
end

-- Keeps the runs of characters that `run` matches; between them takes out controls and sequences.
local function remove_between(text, run)
  local parts, count, from = {}, 0, 1
  while from <= #text do
    local stop = match(text, run, from)
    if stop > from then
      count = count + 1
      parts[count] = sub(text, from, stop - 1)
    end
    from = byte(text, stop) == 27 and after_escape(text, stop) or stop + 1
  end
  return table.concat(parts)
end

-- Each backspace takes back one character of its line.
local function apply_backspaces(line)
  local kept, count = {}, 0
  for character in line:gmatch(utf8.charpattern) do
    if character == "\b" then
      count = math.max(count - 1, 0)
    else
      count = count + 1
      kept[count] = character
    end
  end
  return table.concat(kept, "", 1, count)
end

-- What a terminal would show of a line: what follows its last carriage return.
local function settle_line(line)
  local stop = #line
  while byte(line, stop) == 13 do
    stop = stop - 1
  end
  line = match(sub(line, 1, stop), "^.*\r(.*)$") or sub(line, 1, stop)
  if find(line, "\b", 1, true) then
    line = apply_backspaces(line)
  end
  return line
end

-- Whether a lead byte, which text in many languages is full of, begins one of these characters.
local function has_after(text, lead, pattern)
  local at = find(text, lead, 1, true)
  while at and not find(text, pattern, at) do
    at = find(text, lead, at + 1, true)
  end
  return at ~= nil
end

local ansi = {}

--- The sequences that set and take back how following text looks.
ansi.sgr = {
  reset = "\27[0m",
  bold = "\27[1m",
  dim = "\27[2m",
  italic = "\27[3m",
  underline = "\27[4m",
  inverse = "\27[7m",
  strikethrough = "\27[9m",
  not_bold = "\27[22m",
  not_dim = "\27[22m",
  not_italic = "\27[23m",
  not_underline = "\27[24m",
  not_inverse = "\27[27m",
  not_strikethrough = "\27[29m",
  default_foreground = "\27[39m",
  default_background = "\27[49m",
}

--- Takes out every escape sequence, all controls but newline and tab, and bidi overrides. Broken
--- UTF-8 becomes U+FFFD, `\r\n` becomes `\n`, a lone `\r` and backspaces overwrite as on a terminal.
---@param text string
---@return string text
function ansi.clean(text)
  text = utf8x.repair(text)
  if has_after(text, "\xC2", "^\xC2[\x80-\x9F]") then
    text = gsub(text, "\xC2([\x80-\x9F])", function(c1)
      return "\27" .. string.char(byte(c1) - 0x40)
    end)
  end
  local _, plain = find(text, "^[\9\10\32-\126\128-\255]*")
  if plain < #text then
    text = remove_between(text, CONTROL_RUN)
    if find(text, "[\b\r]") then
      text = gsub(text, "[^\n]+", settle_line)
    end
  end
  if has_after(text, "\xE2\x80", "^\xE2\x80[\xAA-\xAE]") then
    text = gsub(text, "\xE2\x80[\xAA-\xAE]", "")
  end
  if has_after(text, "\xE2\x81", "^\xE2\x81[\xA6-\xA9]") then
    text = gsub(text, "\xE2\x81[\xA6-\xA9]", "")
  end
  return text
end

-- DEL has a picture of its own; those of the other controls stand in their order.
local function picture(control)
  local code = byte(control)
  return utf8.char(code == 127 and 0x2421 or 0x2400 + code)
end

--- Shows every control but newline and tab by its picture (`\r` as ␍, `\27` as ␛), C1 controls and
--- marks of direction as <U+009B>: nothing is hidden. For what a person has to judge.
---@param text string
---@return string text
function ansi.reveal(text)
  text = utf8x.repair(text)
  if not find(text, "[^\9\10\32-\126]") then
    return text
  end
  text = gsub(text, "[\0-\8\11-\31\127]", picture)
  local function code_point(bytes)
    return format("<U+%04X>", utf8.codepoint(bytes))
  end
  text = gsub(text, "\xC2[\x80-\x9F]", code_point)
  text = gsub(text, "\xE2\x80[\x8E\x8F\xA8-\xAE]", code_point)
  return (gsub(text, "\xE2\x81[\xA6-\xA9]", code_point))
end

--- Takes out escape sequences only, as from a line that panto has styled itself.
---@param text string
---@return string text
function ansi.strip(text)
  if not find(text, "\27", 1, true) then
    return text
  end
  return remove_between(text, ESCAPE_RUN)
end

return ansi
