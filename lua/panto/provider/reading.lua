-- Reads the body of a good answer, as an event stream or as one JSON text, into lists of items.

local pieces = require("panto.provider.pieces")
local sse = require("panto.base.sse")
local task = require("panto.sys.task")

local reading = {}

-- The longest event, and the longest answer that is no event stream.
local MAX_BYTES = 16 * 1024 * 1024
-- How long an answer that is over may take to close, so that its connection can be used again.
local DRAIN_MS = 250
local STREAM_FIELDS = { data = true, event = true, id = true, retry = true }

---@class panto.AnswerReader
---@field response panto.HttpResponse
---@field decoder panto.Decoder
---@field parser panto.sse.Parser
---@field failure panto.HttpFailure? why the body broke off before the answer was whole
---@field head string the first bytes, until an event is seen
---@field saw_event boolean
---@field is_over boolean the answer said that nothing follows
---@field finished boolean
local AnswerReader = {}
AnswerReader.__index = AnswerReader

--- Returns a reader over a response with a good status.
---@param response panto.HttpResponse
---@param decoder panto.Decoder
---@return panto.AnswerReader
function reading.new(response, decoder)
  return setmetatable({
    response = response,
    decoder = decoder,
    parser = sse.new(MAX_BYTES),
    head = "",
    saw_event = false,
    is_over = false,
    finished = false,
  }, AnswerReader)
end

local function feed(self, events, items, is_tail)
  for _, event in ipairs(events) do
    event.is_tail = is_tail
    for _, item in ipairs(self.decoder:feed(event)) do
      items[#items + 1] = item
    end
  end
  return items
end

local function append(items, more)
  return table.move(more, 1, #more, #items + 1, items)
end

local function drain(self)
  if task.current() then
    task.timeout(DRAIN_MS, function()
      for _ in self.response.body do
      end
    end)
  end
end

-- An event stream cannot begin like JSON or HTML, whatever its content type says.
local function is_text_answer(head)
  local first = head:gsub("^\xEF\xBB\xBF", ""):match("^%s*(.)")
  return first == "{" or first == "[" or first == "<"
end

local function refuse_length(self, what)
  self.finished = true
  self.failure = { kind = "unreadable", message = what .. " is longer than 16 MB" }
end

local function read_whole(self)
  self.finished = true
  local rest, failure = self.response:read_all(MAX_BYTES)
  if not rest then
    self.failure = failure
    return nil
  elseif #rest >= MAX_BYTES then
    return refuse_length(self, "the answer")
  end
  return self.decoder:whole(self.head .. rest)
end

local function finish_stream(self)
  self.finished = true
  local items = feed(self, self.parser:finish(), {}, true)
  local rest = self.decoder:finish()
  local last = rest[#rest]
  -- A broken connection explains a missing end better than the decoder can.
  if self.response.failure and last and last.type == "error" and last.kind == "cut" then
    self.failure = self.response.failure
    return nil
  end
  return append(items, rest)
end

-- Answers that are neither events nor JSON: a proxy's plain words.
local function is_plain(self)
  local field = self.head:match("^%s*(%a*):")
  local is_stream = field and (field == "" or STREAM_FIELDS[field])
  return not self.saw_event and not is_stream and self.head:find("%S") ~= nil
end

-- Looks at the first bytes: true when this is no event stream.
local function is_other_format(self, chunk)
  if self.saw_event or #self.head >= 65536 then
    return false
  end
  self.head = self.head .. chunk
  return is_text_answer(self.head)
end

local function read_end(self)
  if is_plain(self) and not self.response.failure then
    self.finished = true
    return self.decoder:whole(self.head)
  end
  return finish_stream(self)
end

local function read_events(self, chunk)
  local events = self.parser:feed(chunk)
  self.saw_event = self.saw_event or #events > 0
  local items = feed(self, events, {})
  if self.parser.is_too_long then
    refuse_length(self, self.saw_event and "an event of the answer" or "a line of the answer")
  end
  if self.decoder.done and not self.decoder.failed then
    self.is_over = true
    append(items, self.decoder:finish())
  end
  return pieces.join(items)
end

--- Reads on until items come; nil at the end, when `failure` may tell why it came early.
---@return panto.Item[]?
function AnswerReader:read()
  while not self.finished do
    if self.is_over then
      self.finished = true
      drain(self)
      return nil
    end
    local chunk = self.response.body()
    if not chunk then
      return read_end(self)
    end
    if is_other_format(self, chunk) then
      return read_whole(self)
    end
    local items = read_events(self, chunk)
    if #items > 0 then
      return items
    end
  end
  return nil
end

return reading
