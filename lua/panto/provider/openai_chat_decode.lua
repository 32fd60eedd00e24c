-- Turns the events of a chat completions stream, or one whole JSON answer, into items.

local calls = require("panto.provider.openai_chat_calls")
local details = require("panto.provider.openai_chat_reasoning")
local errors = require("panto.provider.errors")
local fields = require("panto.provider.fields")
local json = require("panto.base.json")
local repeated = require("panto.provider.repeated")
local usage = require("panto.provider.openai_chat_usage")

local decode = {}

local object, text_of = fields.object, fields.text

local STOPS = {
  stop = "stop",
  tool_calls = "tool_use",
  function_call = "tool_use",
  length = "length",
  max_tokens = "length",
  content_filter = "content_filter",
  refusal = "refusal",
}
-- Finish reasons with which a server says that it broke off.
local BROKEN = {
  error = "server",
  abort = "cut",
  insufficient_system_resource = "overloaded",
}

---@class panto.ChatDecoder: panto.Decoder
---@field calls panto.ChatCalls
---@field details panto.ChatReasoning
---@field repeated panto.RepeatedEvent
---@field usage table? the last usage object seen
---@field raw_finish string?
---@field has_text boolean
---@field refused boolean
---@field failed boolean an error item was given; nothing follows it
---@field done boolean the server said that nothing follows
local Decoder = {}
Decoder.__index = Decoder

--- Returns a decoder for one answer.
---@return panto.Decoder
function decode.new()
  return setmetatable({
    calls = calls.new(),
    details = details.new(),
    repeated = repeated.new("content"),
    has_text = false,
    refused = false,
    failed = false,
    done = false,
  }, Decoder)
end

local function fail(self, items, err)
  self.failed = true
  self.done = true
  if self.usage then
    items[#items + 1] = { type = "usage", usage = usage.decode(self.usage) }
  end
  items[#items + 1] = { type = "error", kind = err.kind, message = err.message }
  return items
end

local function add_text(self, items, text)
  self.has_text = true
  items[#items + 1] = { type = "text_delta", delta = text }
end

local function add_thinking(items, text, field)
  items[#items + 1] = { type = "thinking_delta", delta = text, field = field }
end

-- A thinking part holds a string or a list of text parts.
local function add_thinking_part(items, part)
  if text_of(part.thinking) then
    add_thinking(items, part.thinking, "content")
  end
  for _, inner in ipairs(object(part.thinking) or {}) do
    if object(inner) and text_of(inner.text) then
      add_thinking(items, inner.text, "content")
    end
  end
end

local function add_content(self, items, content)
  if text_of(content) then
    add_text(self, items, content)
    return
  end
  for _, part in ipairs(object(content) or {}) do
    if object(part) and part.type == "thinking" then
      add_thinking_part(items, part)
    elseif object(part) and text_of(part.text) then
      add_text(self, items, part.text)
    end
  end
end

-- Servers that fill several reasoning fields say the same thing in each: the first one counts.
local function add_reasoning(self, items, delta)
  local detail_text = self.details:add(object(delta.reasoning_details))
  if text_of(delta.reasoning_content) then
    add_thinking(items, delta.reasoning_content, "reasoning_content")
  elseif text_of(delta.reasoning) then
    add_thinking(items, delta.reasoning, "reasoning")
  elseif detail_text then
    add_thinking(items, detail_text, "reasoning_details")
  end
end

local function add_delta(self, items, delta)
  add_reasoning(self, items, delta)
  add_content(self, items, delta.content)
  if text_of(delta.refusal) then
    self.refused = true
    add_text(self, items, delta.refusal)
  end
  for _, piece in ipairs(object(delta.tool_calls) or {}) do
    if object(piece) then
      self.calls:add(piece, items)
    end
  end
end

local function add_choice(self, items, choice)
  local delta = object(choice.delta) or object(choice.message)
  if delta then
    add_delta(self, items, delta)
  end
  self.raw_finish = text_of(choice.finish_reason) or self.raw_finish
end

-- Only the first of several answers to one request can be continued.
local function first_choice(chunk)
  for _, choice in ipairs(object(chunk.choices) or {}) do
    if object(choice) and (choice.index or 0) == 0 or choice.index == json.null then
      return choice
    end
  end
  return nil
end

local function is_error(chunk, event_name)
  if event_name == "error" or chunk.object == "error" then
    return true
  end
  if object(chunk.error) or text_of(chunk.error) then
    return true
  end
  local about = text_of(chunk.message) or chunk.detail
  return chunk.choices == nil and (text_of(about) or object(about)) ~= nil
end

local function add_chunk(self, items, chunk, event_name)
  local choice = first_choice(chunk)
  self.usage = usage.find(chunk, choice) or self.usage
  if self.calls.seed == "" and text_of(chunk.id) then
    self.calls.seed = chunk.id:gsub("%W", ""):sub(-12) .. "_"
  end
  if is_error(chunk, event_name) then
    return fail(self, items, errors.parse(chunk))
  end
  if choice then
    add_choice(self, items, choice)
  end
  return items
end

--- Decodes one event of the stream.
---@param event panto.sse.Event with `is_tail` when the stream ended inside of it
---@return panto.Item[]
function Decoder:feed(event)
  if self.done then
    return {}
  end
  -- Events of the same text around another string say the same about everything else.
  local text = self.repeated:read(event)
  if text and text ~= "" then
    return { { type = "text_delta", delta = text } }
  end
  local data = event.data or ""
  if not data:find("%S") then
    return {}
  elseif data:find("^%s*%[DONE%]%s*$") then
    self.done = true
    return {}
  end
  local chunk = json.decode(data)
  if object(chunk) then
    local items = add_chunk(self, {}, chunk, event.event)
    if #items == 1 and items[1].type == "text_delta" and not self.refused then
      self.repeated:keep(event, items[1].delta)
    end
    return items
  elseif event.is_tail then
    return {}
  end
  return fail(self, {}, errors.parse_event(event))
end

local function stop_reason(self)
  local reason = self.raw_finish and (STOPS[self.raw_finish] or self.raw_finish) or "stop"
  if self.refused and reason == "stop" then
    return "refusal"
  elseif #self.calls.list > 0 then
    return (reason == "length" or reason == "content_filter") and reason or "tool_use"
  end
  return reason == "tool_use" and "stop" or reason
end

-- "[DONE]" ends a plain text without a finish reason; it does not vouch for a tool call.
local function is_whole(self)
  return self.raw_finish or (self.done and self.has_text and #self.calls.list == 0)
end

--- Ends the stream: calls, usage and the stop reason, or an error when the answer is not whole.
---@return panto.Item[]
function Decoder:finish()
  if self.failed then
    return {}
  end
  local broken = BROKEN[self.raw_finish]
  if broken then
    local message = ('the server broke off ("%s")'):format(self.raw_finish)
    return fail(self, {}, { kind = broken, message = message })
  elseif not is_whole(self) then
    local message = "the answer ended before it was finished"
    return fail(self, {}, { kind = "cut", message = message })
  end
  self.done = true
  local items = {}
  local reason = stop_reason(self)
  self.calls:close(items, reason == "length" or reason == "content_filter")
  local kept = self.details:get()
  if kept then
    items[#items + 1] = { type = "opaque", style = "openai_chat", value = kept }
  end
  if self.usage then
    items[#items + 1] = { type = "usage", usage = usage.decode(self.usage) }
  end
  items[#items + 1] = { type = "stop", reason = reason, raw = self.raw_finish }
  return items
end

--- Decodes an answer that came as one JSON text instead of a stream.
---@param text string
---@return panto.Item[]
function Decoder:whole(text)
  local answer = fields.answer(text)
  if not answer then
    return fail(self, {}, errors.parse_text(text))
  end
  local items = add_chunk(self, {}, answer, nil)
  if self.failed then
    return items
  elseif not (answer.choices and first_choice(answer)) then
    return fail(self, items, { kind = "invalid", message = errors.excerpt(text) })
  end
  self.raw_finish = self.raw_finish or "stop"
  local rest = self:finish()
  return table.move(rest, 1, #rest, #items + 1, items)
end

return decode
