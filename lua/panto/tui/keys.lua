-- Turns the bytes a terminal sends, cut anywhere, into key, paste, reply and focus events.
local key_event = require("panto.tui.key_event")
local keys_csi = require("panto.tui.keys_csi")

local keys = {}

local Decoder = {}
Decoder.__index = Decoder

local PASTE_END = "\27[201~"
local MAX_SEQUENCE, MAX_STRING = 128, 65536
local WAIT = {}
local ALT = 2

---@class panto.tui.Decoder
---@field buffer string bytes of a sequence that is not whole yet
---@field paste string[]? pieces of the paste that is being received
---@field tail string the end of the last paste piece, which may hold half an end mark

--- Makes a decoder; all state of a cut sequence or an open paste lives in it.
---@return panto.tui.Decoder
function keys.new()
  return setmetatable({ buffer = "", paste = nil, tail = "" }, Decoder)
end

--- Names a key event for tables of bindings, as "ctrl+left".
---@param event panto.tui.Key
---@return string
function keys.name(event)
  return key_event.name(event)
end

local function finish_paste(pieces)
  local text = table.concat(pieces)
  if text:find("\r", 1, true) then
    text = text:gsub("\r\n", "\n"):gsub("\r", "\n")
  end
  return { type = "paste", text = text }
end

-- Takes bytes of an open paste; returns what follows its end, or nil while it is open.
function Decoder:take_paste(bytes, events)
  local joined = self.tail .. bytes
  local first, last = joined:find(PASTE_END, 1, true)
  if first then
    self.paste[#self.paste + 1] = joined:sub(1, first - 1)
    events[#events + 1] = finish_paste(self.paste)
    self.paste, self.tail = nil, ""
    return joined:sub(last + 1)
  end
  local keep = math.min(#joined, #PASTE_END - 1)
  self.paste[#self.paste + 1] = joined:sub(1, #joined - keep)
  self.tail = joined:sub(#joined - keep + 1)
  return nil
end

-- Each reader below gets the buffer and the place of an ESC or character, and returns
-- the event (or nil) and the next place; WAIT when the sequence is not whole.

local function read_csi(buffer, i)
  if buffer:sub(i + 2, i + 2) == "[" then
    local letter = buffer:sub(i + 3, i + 3)
    if letter == "" then
      return WAIT
    end
    local number = letter:byte() - 64
    local known = number >= 1 and number <= 5
    return known and key_event.new("f" .. number) or nil, i + 4
  end
  if buffer:sub(i + 2, i + 2) == "M" then
    return #buffer < i + 5 and WAIT or nil, i + 6
  end
  local body, final, stop = buffer:match("^([0-?]*[ -/]*)(.?)()", i + 2)
  if final == "" then
    if #body > MAX_SEQUENCE then
      return nil, #buffer + 1
    end
    local shifted = body:match("^(%d+)%$$")
    return shifted and keys_csi.csi(shifted, "$") or WAIT, stop
  end
  if not final:match("[@-~]") then
    return nil, stop - 1
  end
  return keys_csi.csi(body, final), stop
end

local function read_ss3(buffer, i)
  local params, final, stop = buffer:match("^(%d*)(.?)()", i + 2)
  if final == "" then
    return WAIT
  end
  if not final:match("[@-~]") then
    return nil, stop - 1
  end
  return keys_csi.ss3(params, final), stop
end

local function read_string(buffer, i)
  local kind = buffer:sub(i + 1, i + 1)
  local stop = buffer:find("[%z\1-\31]", i + 2)
  if not stop then
    if #buffer - i > MAX_STRING then
      return nil, #buffer + 1
    end
    return WAIT
  end
  local content, ender = buffer:sub(i + 2, stop - 1), buffer:byte(stop)
  if ender == 7 then
    return keys_csi.string(kind, content), stop + 1
  elseif ender ~= 27 then
    return nil, stop
  end
  local after = buffer:sub(stop + 1, stop + 1)
  if after == "" then
    return WAIT
  elseif after == "\\" then
    return keys_csi.string(kind, content), stop + 2
  end
  return nil, stop
end

local function read_character(buffer, i, bits)
  local code = buffer:byte(i)
  if code < 32 or code == 127 then
    return key_event.control(code, bits), i + 1
  elseif code < 128 then
    return key_event.character(buffer:sub(i, i), bits), i + 1
  end
  local length = code >= 0xF0 and 4 or code >= 0xE0 and 3 or code >= 0xC2 and 2 or 1
  local char = buffer:sub(i, i + length - 1)
  if #char < length and not char:find("[^\128-\191]", 2) then
    return WAIT
  end
  if length == 1 or not utf8.len(char) then
    return key_event.character("\u{FFFD}", bits), i + 1
  end
  return key_event.character(char, bits), i + length
end

local INTRODUCERS = {
  ["["] = read_csi,
  ["O"] = read_ss3,
  ["]"] = read_string,
  ["P"] = read_string,
  ["_"] = read_string,
  ["^"] = read_string,
  ["X"] = read_string,
}

local function read_double_escape(buffer, i)
  local third = buffer:sub(i + 2, i + 2)
  if third == "" then
    return WAIT
  end
  if third ~= "[" and third ~= "O" then
    return key_event.new("escape"), i + 1
  end
  local event, stop = INTRODUCERS[third](buffer, i + 1)
  if event == WAIT then
    return WAIT
  elseif not event or event.type ~= "key" then -- an answer that came right behind Esc
    return key_event.new("escape"), i + 1
  end
  event.alt, event.text = true, nil
  return event, stop
end

local function read_escape(buffer, i)
  local second = buffer:sub(i + 1, i + 1)
  if second == "" then
    return WAIT
  elseif second == "\27" then
    return read_double_escape(buffer, i)
  end
  local reader = INTRODUCERS[second]
  if reader then
    return reader(buffer, i)
  end
  return read_character(buffer, i + 1, ALT)
end

local function opens_paste(buffer, i)
  return buffer:sub(i, i + 5) == "\27[200~"
end

function Decoder:read(events)
  local buffer, i = self.buffer, 1
  while i <= #buffer do
    if opens_paste(buffer, i) then
      self.paste, self.buffer = {}, ""
      local rest = self:take_paste(buffer:sub(i + 6), events)
      if not rest then
        return events
      end
      buffer, i = rest, 1
    else
      local reader = buffer:byte(i) == 27 and read_escape or read_character
      local event, stop = reader(buffer, i)
      if event == WAIT then
        break
      end
      events[#events + 1] = event
      i = stop
    end
  end
  self.buffer = buffer:sub(i)
  return events
end

--- Takes bytes and returns the events that are whole now, in order.
---@param bytes string
---@return table[] events
function Decoder:feed(bytes)
  local events = {}
  if self.paste then
    local rest = self:take_paste(bytes, events)
    if not rest then
      return events
    end
    bytes = rest
  end
  self.buffer = self.buffer .. bytes
  return self:read(events)
end

--- Tells whether a lone ESC or a cut sequence waits for more bytes or for `flush`.
---@return boolean
function Decoder:pending()
  return self.buffer ~= ""
end

--- Gives up waiting (about 30 ms after the last byte): a lone ESC becomes the Escape key, ESC and
--- one byte an Alt key. What can only be a cut reply or key code waits on and is never typed.
---@return table[] events
function Decoder:flush()
  local buffer = self.buffer
  local starts_escape = buffer:byte(1) == 27
  if buffer == "" or starts_escape and #buffer > 2 then
    return {}
  end
  self.buffer = ""
  if buffer == "\27" then
    return { key_event.new("escape") }
  elseif buffer == "\27\27" then
    return { key_event.new("escape"), key_event.new("escape") }
  elseif starts_escape and buffer:byte(2) < 128 then
    return { (read_character(buffer, 2, ALT)) }
  end
  return { key_event.character("\u{FFFD}") }
end

return keys
