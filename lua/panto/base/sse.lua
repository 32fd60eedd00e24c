-- Turns the bytes of an event stream (WHATWG server-sent events), cut anywhere, into events.

local byte, find, sub = string.byte, string.find, string.sub

local BOM = "\u{FEFF}"
local FOLD_AT = 512

---@class panto.sse.Event
---@field event string the event's type, "message" when the stream names none
---@field data string the data lines, joined by line feeds
---@field id string? the last id that the stream set

---@class panto.sse.Parser
---@field comments integer how many comment lines have come
---@field retry_ms integer? the reconnection time that the stream asked for
---@field is_too_long boolean an event outgrew the limit: the rest of the stream is dropped
---@field package max_bytes number
---@field package kept_bytes integer of the unfinished line
---@field package data_bytes integer of the unfinished event
---@field package pieces string[] the unfinished line
---@field package piece_count integer
---@field package folded string[] older parts of the unfinished line, many pieces each
---@field package data string[] the data lines of the unfinished event
---@field package data_count integer
---@field package event_type string?
---@field package last_id string?
---@field package skip_lf boolean the last byte was a CR
---@field package started boolean the first line has been seen
local Parser = {}
Parser.__index = Parser

local function set_field(self, name, value)
  if name == "data" then
    self.data_count = self.data_count + 1
    self.data[self.data_count] = value
    self.data_bytes = self.data_bytes + #value
  elseif name == "event" then
    self.event_type = value
  elseif name == "id" then
    if not find(value, "\0", 1, true) then
      self.last_id = value
    end
  elseif name == "retry" and find(value, "^[0-9]+$") then
    self.retry_ms = math.tointeger(tonumber(value))
  end
end

local function finish_event(self, events)
  local event_type = self.event_type
  self.event_type = nil
  if self.data_count == 0 then
    return
  end
  local data = self.data_count == 1 and self.data[1] or table.concat(self.data, "\n")
  if event_type == nil or event_type == "" then
    event_type = "message"
  end
  events[#events + 1] = { event = event_type, data = data, id = self.last_id }
  self.data, self.data_count, self.data_bytes = {}, 0, 0
end

local function read_line(self, line, events)
  if not self.started then
    self.started = true
    if sub(line, 1, 3) == BOM then
      line = sub(line, 4)
    end
  end
  if line == "" then
    return finish_event(self, events)
  end
  local colon = find(line, ":", 1, true)
  if colon == 1 then
    self.comments = self.comments + 1
  elseif colon then
    local from = byte(line, colon + 1) == 32 and colon + 2 or colon + 1
    set_field(self, sub(line, 1, colon - 1), sub(line, from))
  else
    set_field(self, line, "")
  end
end

-- Keeps a part of a line; many small ones are folded together, so that none costs more than once.
local function keep(self, piece)
  local count = self.piece_count + 1
  self.pieces[count] = piece
  if count == FOLD_AT then
    self.folded[#self.folded + 1] = table.concat(self.pieces, "", 1, count)
    count = 0
  end
  self.piece_count = count
  self.kept_bytes = self.kept_bytes + #piece
end

-- The unfinished line, which is then empty again.
local function take_kept(self)
  local line = table.concat(self.pieces, "", 1, self.piece_count)
  if self.folded[1] then
    line = table.concat(self.folded) .. line
    self.folded = {}
  end
  self.piece_count, self.kept_bytes = 0, 0
  return line
end

-- Gives up on a stream whose unfinished event is longer than the limit.
local function check_size(self)
  if self.kept_bytes + self.data_bytes > self.max_bytes then
    self.is_too_long = true
    self.pieces, self.piece_count, self.folded, self.kept_bytes = {}, 0, {}, 0
    self.data, self.data_count, self.data_bytes = {}, 0, 0
  end
end

-- Reads the events of one data line, a name before it or none, that begin at `from`: most streams are
-- made of nothing else. Returns where anything other begins. The bytes have no CR.
local function read_plain_events(self, bytes, from, events)
  if not self.started or self.data_count > 0 or self.piece_count > 0 or self.folded[1] then
    return from
  end
  local count, id, name = #events, self.last_id, self.event_type
  while true do
    local word = sub(bytes, from, from + 5)
    local stop = (word == "data: " or word == "event:") and find(bytes, "\n", from, true)
    if not stop then
      break
    elseif word == "event:" then
      name = sub(bytes, byte(bytes, from + 6) == 32 and from + 7 or from + 6, stop - 1)
      from = stop + 1
    elseif byte(bytes, stop + 1) == 10 then
      count = count + 1
      name = name ~= "" and name or "message"
      events[count] = { event = name, data = sub(bytes, from + 6, stop - 1), id = id }
      name, from = nil, stop + 2
    else
      break
    end
  end
  self.event_type = name
  return from
end

--- Takes the next bytes of the stream and returns the events that they complete.
---@param bytes string
---@return panto.sse.Event[]
function Parser:feed(bytes)
  local events = {}
  local size = #bytes
  if size == 0 or self.is_too_long then
    return events
  end
  local from = (self.skip_lf and byte(bytes) == 10) and 2 or 1
  self.skip_lf = byte(bytes, size) == 13
  local cr = find(bytes, "\r", from, true)
  from = cr and from or read_plain_events(self, bytes, from, events)
  local lf = find(bytes, "\n", from, true)
  while lf or cr do
    local stop = (lf and cr) and math.min(lf, cr) or lf or cr
    local line = sub(bytes, from, stop - 1)
    if self.piece_count > 0 or self.folded[1] then
      keep(self, line)
      line = take_kept(self)
    end
    read_line(self, line, events)
    from = stop + 1
    if stop == cr and lf == from then
      from = from + 1
    elseif not cr then
      from = read_plain_events(self, bytes, from, events)
    end
    if lf and lf < from then
      lf = find(bytes, "\n", from, true)
    end
    if cr and cr < from then
      cr = find(bytes, "\r", from, true)
    end
  end
  if from <= size then
    keep(self, from == 1 and bytes or sub(bytes, from))
  end
  check_size(self)
  return events
end

--- Ends the stream: returns the event that was left without its blank line, if there is one.
---@return panto.sse.Event[]
function Parser:finish()
  local events = {}
  if self.piece_count > 0 or self.folded[1] then
    read_line(self, take_kept(self), events)
  end
  finish_event(self, events)
  return events
end

local sse = {}

--- Makes a parser for one stream.
---@param max_bytes integer? the longest event it takes
---@return panto.sse.Parser
function sse.new(max_bytes)
  return setmetatable({
    comments = 0,
    is_too_long = false,
    max_bytes = max_bytes or math.huge,
    kept_bytes = 0,
    data_bytes = 0,
    pieces = {},
    piece_count = 0,
    folded = {},
    data = {},
    data_count = 0,
    skip_lf = false,
    started = false,
  }, Parser)
end

return sse
