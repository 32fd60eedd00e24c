-- Turns the events of a messages stream, or one whole JSON answer, into items.

local errors = require("panto.provider.errors")
local fields = require("panto.provider.fields")
local json = require("panto.base.json")
local parts = require("panto.provider.anthropic_parts")
local repeated = require("panto.provider.repeated")
local usage = require("panto.provider.anthropic_usage")

local decode = {}

local object, text_of = fields.object, fields.text

local STOPS = {
  end_turn = "stop",
  tool_use = "tool_use",
  max_tokens = "length",
  model_context_window_exceeded = "length",
  stop_sequence = "stop_sequence",
  refusal = "refusal",
  pause_turn = "pause",
}
-- Which calls may run of an answer that ended before the model was done.
local TRUST = { length = "whole", refusal = "none" }

---@class panto.AnthropicDecoder: panto.Decoder
---@field parts panto.AnthropicParts
---@field usage panto.Usage?
---@field id string? of the message
---@field raw_stop string?
---@field foreign string? data of the first event that is none of this API
---@field failed boolean an error item was given; nothing follows it
---@field done boolean the server said that nothing follows
local Decoder = {}
Decoder.__index = Decoder

--- Returns a decoder for one answer.
---@return panto.Decoder
function decode.new()
  return setmetatable({
    parts = parts.new(),
    repeated = repeated.new("text"),
    failed = false,
    done = false,
  }, Decoder)
end

local function index_of(chunk)
  return math.type(chunk.index) == "integer" and chunk.index or -1
end

local function add_usage(self, items)
  if self.usage then
    local now = {}
    for key, tokens in pairs(self.usage) do
      now[key] = tokens
    end
    items[#items + 1] = { type = "usage", usage = now }
  end
end

local function fail(self, items, err)
  self.failed = true
  self.done = true
  add_usage(self, items)
  items[#items + 1] = { type = "error", kind = err.kind, message = err.message }
  return items
end

-- What each event does; none of them knows what came before it.
local take = {}

-- Some servers repeat the start; another message makes what came of a half one void.
function take.message_start(self, chunk, items)
  local message = object(chunk.message) or {}
  local id = text_of(message.id)
  if self.parts.last and not (id and id == self.id) then
    items[#items + 1] = { type = "restart" }
    self.parts, self.usage, self.raw_stop = parts.new(), nil, nil
  end
  self.id = id
  self.usage = usage.add(self.usage, message.usage)
  if self.usage and (self.usage.input or 0) > 0 then
    add_usage(self, items)
  end
end

function take.content_block_start(self, chunk, items)
  local block = object(chunk.content_block)
  if block then
    self.parts:start(index_of(chunk), block, items)
  end
end

function take.content_block_delta(self, chunk, items)
  local delta = object(chunk.delta)
  if delta then
    self.parts:add(index_of(chunk), delta, items)
  end
end

function take.content_block_stop(self, chunk, items)
  self.parts:close(index_of(chunk), items)
end

function take.message_delta(self, chunk)
  local delta = object(chunk.delta) or {}
  self.raw_stop = text_of(delta.stop_reason) or self.raw_stop
  self.usage = usage.add(self.usage, chunk.usage)
end

function take.message_stop(self)
  self.done = true
end

function take.ping() end

local function is_error(chunk, event_name)
  return event_name == "error"
    or chunk.type == "error"
    or object(chunk.error) ~= nil
    or text_of(chunk.error) ~= nil
end

local function add_chunk(self, chunk, event_name, data)
  local items = {}
  if is_error(chunk, event_name) then
    return fail(self, items, errors.parse(chunk))
  end
  local take_event = take[chunk.type or event_name]
  if take_event then
    take_event(self, chunk, items)
  else
    self.foreign = self.foreign or data
  end
  return items
end

-- The next event may say the same with another text; whatever else comes in between ends that.
local function keep_text(self, event, chunk, items)
  local item = items[1]
  local is_text = #items == 1 and item.type == "text_delta" and chunk.type == "content_block_delta"
  if is_text and not event.data:find('"citation"', 1, true) then
    self.repeated:keep(event, item.delta)
    self.repeated_field = item.field
  else
    self.repeated.prefix = nil
  end
end

--- Decodes one event of the stream.
---@param event panto.sse.Event with `is_tail` when the stream ended inside of it
---@return panto.Item[]
function Decoder:feed(event)
  local data = event.data or ""
  if self.done or not data:find("%S") or data:find("^%s*%[DONE%]%s*$") then
    return {}
  end
  local text = self.repeated:read(event)
  if text and text ~= "" then
    return { { type = "text_delta", delta = text, field = self.repeated_field } }
  end
  local chunk = object(json.decode(data))
  if chunk then
    local items = add_chunk(self, chunk, event.event, data)
    keep_text(self, event, chunk, items)
    return items
  elseif event.is_tail or event.event == "ping" then
    return {}
  end
  return fail(self, {}, errors.parse_event(event))
end

local function stop_reason(self)
  local reason = self.raw_stop and (STOPS[self.raw_stop] or self.raw_stop) or "stop"
  if #self.parts.calls > 0 then
    return reason == "stop" and "tool_use" or reason
  end
  return reason == "tool_use" and "stop" or reason
end

--- Ends the stream: calls, usage and the stop reason, or an error when the answer is not whole.
---@return panto.Item[]
function Decoder:finish()
  if self.failed then
    return {}
  elseif not (self.raw_stop or self.done) then
    if self.foreign and not self.parts.last then
      return fail(self, {}, { kind = "invalid", message = errors.excerpt(self.foreign) })
    end
    return fail(self, {}, { kind = "cut", message = "the answer ended before it was finished" })
  end
  self.done = true
  local items, reason = {}, stop_reason(self)
  self.parts:finish(items, TRUST[reason] or "all")
  add_usage(self, items)
  items[#items + 1] = { type = "stop", reason = reason, raw = self.raw_stop }
  return items
end

local function add_whole(self, answer, items)
  self.usage = usage.add(self.usage, answer.usage)
  for index, block in ipairs(answer.content) do
    if object(block) then
      self.parts:start(index, block, items)
      self.parts:close(index, items)
    end
  end
  self.raw_stop = text_of(answer.stop_reason) or "end_turn"
  local rest = self:finish()
  return table.move(rest, 1, #rest, #items + 1, items)
end

--- Decodes an answer that came as one JSON text instead of a stream.
---@param text string
---@return panto.Item[]
function Decoder:whole(text)
  local answer = fields.answer(text)
  if not answer then
    return fail(self, {}, errors.parse_text(text))
  elseif is_error(answer) then
    return fail(self, {}, errors.parse(answer))
  elseif not object(answer.content) then
    return fail(self, {}, { kind = "invalid", message = errors.excerpt(text) })
  end
  return add_whole(self, answer, {})
end

return decode
