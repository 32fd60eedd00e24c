-- Turns the events of a responses stream, or one whole JSON answer, into items.

local errors = require("panto.provider.errors")
local fields = require("panto.provider.fields")
local json = require("panto.base.json")
local output = require("panto.provider.openai_responses_output")
local usage = require("panto.provider.usage")

local decode = {}

local INCOMPLETE = {
  max_output_tokens = "length",
  max_tokens = "length",
  length = "length",
  content_filter = "content_filter",
}

---@class panto.ResponsesDecoder: panto.Decoder
---@field output panto.ResponsesOutput
---@field usage panto.Usage?
---@field raw_stop string? how the answer ended: "completed" or why it is incomplete
---@field failed boolean an error item was given; nothing follows it
---@field done boolean the server said that nothing follows
local Decoder = {}
Decoder.__index = Decoder

--- Returns a decoder for one answer.
---@return panto.Decoder
function decode.new()
  return setmetatable({ output = output.new(), failed = false, done = false }, Decoder)
end

local function fail(self, out, err)
  self.failed = true
  self.done = true
  if self.usage then
    out[#out + 1] = { type = "usage", usage = self.usage }
  end
  out[#out + 1] = { type = "error", kind = err.kind, message = err.message }
end

local function read_usage(wire)
  wire = fields.object(wire)
  if not wire or not (fields.count(wire.input_tokens) or fields.count(wire.output_tokens)) then
    return nil
  end
  local input_details = fields.object(wire.input_tokens_details) or {}
  local output_details = fields.object(wire.output_tokens_details) or {}
  return usage.new({
    prompt = fields.count(wire.input_tokens),
    output = fields.count(wire.output_tokens),
    cached = fields.count(input_details.cached_tokens),
    written = fields.count(input_details.cache_write_tokens),
    reasoning = fields.count(output_details.reasoning_tokens),
  })
end

local function read_error(response)
  if fields.object(response.error) or fields.text(response.error) then
    return errors.parse(response)
  end
  local status = fields.text(response.status) or "failed"
  return { kind = "server", message = ("the answer ended with status %q"):format(status) }
end

-- The last event holds the whole answer, its usage, and why it ended.
local function read_end(self, event, out)
  local response = fields.object(event.response) or {}
  local status = fields.text(response.status) or event.type:match("%.(%a+)$")
  self.usage = read_usage(response.usage) or self.usage
  if status == "failed" or status == "cancelled" or fields.object(response.error) then
    fail(self, out, read_error(response))
    return
  end
  local details = fields.object(response.incomplete_details) or {}
  self.output:close_all(response.output, out)
  self.raw_stop = fields.text(details.reason)
    or (status == "incomplete" and "max_output_tokens")
    or "completed"
  self.done = true
end

local function read_failure(self, event, out)
  fail(self, out, errors.parse(event))
end

local READ = {
  ["response.output_item.added"] = function(self, event, out)
    self.output:open(event, out)
  end,
  ["response.output_item.done"] = function(self, event, out)
    self.output:close(event, out)
  end,
  ["response.output_text.delta"] = function(self, event, out)
    self.output:text(event, event.delta, out)
  end,
  ["response.output_text.done"] = function(self, event, out)
    self.output:text(event, event.text, out, true)
  end,
  ["response.refusal.delta"] = function(self, event, out)
    self.output.refused = true
    self.output:text(event, event.delta, out)
  end,
  ["response.refusal.done"] = function(self, event, out)
    self.output.refused = true
    self.output:text(event, event.refusal, out, true)
  end,
  ["response.reasoning_summary_text.delta"] = function(self, event, out)
    self.output:thinking(event, "summary", out)
  end,
  ["response.reasoning_text.delta"] = function(self, event, out)
    self.output:thinking(event, "reasoning_text", out)
  end,
  ["response.function_call_arguments.delta"] = function(self, event, out)
    self.output:arguments(event, event.delta, out)
  end,
  ["response.function_call_arguments.done"] = function(self, event, out)
    self.output:arguments(event, event.arguments, out, true)
  end,
  ["response.completed"] = read_end,
  ["response.done"] = read_end,
  ["response.incomplete"] = read_end,
  ["response.failed"] = read_end,
  ["response.cancelled"] = read_end,
  error = read_failure,
}
-- Earlier names of the same events, which some servers still send.
READ["response.reasoning_summary.delta"] = READ["response.reasoning_summary_text.delta"]
READ["response.reasoning.delta"] = READ["response.reasoning_text.delta"]

local function is_error(event)
  local about = fields.text(event.message) or event.detail
  return fields.object(event.error) ~= nil
    or fields.text(event.error) ~= nil
    or (fields.text(about) or fields.object(about)) ~= nil
end

-- The type in the data counts; the event's name only where the data has none.
local function read_event(self, event, name)
  local out = {}
  event.type = fields.text(event.type) or fields.text(name)
  local response = fields.object(event.response)
  if self.output.seed == "" and response and fields.text(response.id) then
    self.output.seed = response.id:gsub("%W", ""):sub(-12) .. "_"
  end
  local read = READ[event.type]
  if read then
    read(self, event, out)
  elseif (event.type == nil or event.type == "message") and is_error(event) then
    read_failure(self, event, out)
  end
  return out
end

--- Decodes one event of the stream.
---@param event panto.sse.Event with `is_tail` when the stream ended inside of it
---@return panto.Item[]
function Decoder:feed(event)
  local data = event.data or ""
  if self.done or not data:find("%S") then
    return {}
  elseif data:find("^%s*%[DONE%]%s*$") then
    self.done = true
    return {}
  end
  local value = fields.object(json.decode(data))
  if value then
    return read_event(self, value, event.event)
  elseif event.is_tail then
    return {}
  end
  local out = {}
  fail(self, out, errors.parse_event(event))
  return out
end

local function stop_reason(self)
  local raw = self.raw_stop or "completed"
  if raw ~= "completed" then
    return INCOMPLETE[raw] or raw
  elseif self.output.has_calls then
    return "tool_use"
  end
  return self.output.refused and "refusal" or "stop"
end

-- "[DONE]" ends a plain text without a last event; it does not vouch for a tool call.
local function is_whole(self)
  return self.raw_stop or (self.done and self.output.has_text and not self.output.has_calls)
end

--- Ends the stream: calls, usage and the stop reason, or an error when the answer is not whole.
---@return panto.Item[]
function Decoder:finish()
  if self.failed then
    return {}
  end
  local out = {}
  if not is_whole(self) then
    fail(self, out, { kind = "cut", message = "the answer ended before it was finished" })
    return out
  end
  self.done = true
  local reason = stop_reason(self)
  self.output:close_calls(out, (self.raw_stop or "completed") ~= "completed")
  if self.usage then
    out[#out + 1] = { type = "usage", usage = self.usage }
  end
  out[#out + 1] = { type = "stop", reason = reason, raw = self.raw_stop }
  return out
end

--- Decodes an answer that came as one JSON text instead of a stream.
---@param text string
---@return panto.Item[]
function Decoder:whole(text)
  local answer = fields.answer(text)
  local out = {}
  if not answer then
    fail(self, out, errors.parse_text(text))
  elseif fields.object(answer.output) and not fields.object(answer.error) then
    read_end(self, { type = "response.completed", response = answer }, out)
    local rest = self.failed and {} or self:finish()
    table.move(rest, 1, #rest, #out + 1, out)
  elseif is_error(answer) then
    read_failure(self, answer, out)
  else
    fail(self, out, { kind = "invalid", message = errors.excerpt(text) })
  end
  return out
end

return decode
