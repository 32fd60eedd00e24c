-- Turns the pieces of output items, and whole ones, into items: what was seen is not said again.

local fields = require("panto.provider.fields")
local json = require("panto.base.json")
local output_items = require("panto.provider.openai_responses_items")

local output = {}

local STYLE = "openai_responses"

---@class panto.ResponsesOutput
---@field items panto.OutputItems
---@field seed string makes ids for calls that came without one
---@field writer panto.OutputItem? the message whose text came last, if nothing came after it
---@field thinker panto.OutputItem? the reasoning that is still open
---@field has_text boolean
---@field has_calls boolean
---@field refused boolean
local Output = {}
Output.__index = Output

--- Returns an output without items.
---@return panto.ResponsesOutput
function output.new()
  return setmetatable({
    items = output_items.new(),
    seed = "",
    has_text = false,
    has_calls = false,
    refused = false,
  }, Output)
end

-- The part of a whole text that its pieces have not brought yet.
local function rest_of(item, whole)
  local seen = table.concat(item.seen)
  return whole:sub(1, #seen) == seen and whole:sub(#seen + 1) or ""
end

local function add_opaque(self, out, value)
  self.writer = nil
  out[#out + 1] = { type = "opaque", style = STYLE, value = value }
end

local function keep_reasoning(self, item, out, value)
  if not item.kept then
    item.kept = true
    add_opaque(self, out, value)
  end
end

-- Servers that end everything at the very end would put the reasoning behind what it led to: open
-- reasoning is kept as soon as another item begins.
local function close_thinking(self, out)
  local item = self.thinker
  self.thinker = nil
  if item and not item.ended and item.field == "reasoning_text" then
    keep_reasoning(self, item, out, {
      type = "reasoning",
      id = item.id or "rs_" .. self.seed .. item.ordinal,
      summary = json.array({}),
      content = json.array({ { type = "reasoning_text", text = table.concat(item.seen) } }),
      encrypted_content = item.sealed,
    })
  end
end

local function add_text(self, item, delta, out)
  if delta == "" then
    return
  end
  close_thinking(self, out)
  local before = self.writer
  if before and before ~= item then
    out[#out + 1] = { type = "text_delta", delta = "\n\n", field = before.phase }
  end
  self.writer = item
  self.has_text = true
  table.insert(item.seen, delta)
  out[#out + 1] = { type = "text_delta", delta = delta, field = item.phase }
end

-- Summaries come in parts, one paragraph each. What comes as both kinds is shown once.
local function add_thinking(self, item, field, part, delta, out)
  item.field = item.field or field
  if delta == "" or item.field ~= field then
    return
  end
  if item.part ~= nil and item.part ~= part then
    delta = "\n\n" .. delta
  end
  item.part = part
  self.writer = nil
  self.thinker = not item.ended and item or nil
  table.insert(item.seen, delta)
  out[#out + 1] = { type = "thinking_delta", delta = delta, field = field }
end

local function arguments_text(value)
  local object = fields.object(value)
  return object and json.encode(object) or fields.text(value) or ""
end

local function start_call(self, item, out)
  if item.started then
    return
  end
  close_thinking(self, out)
  self.writer = nil
  item.started = true
  item.call_id = item.call_id or ("call_%s%d"):format(self.seed, item.ordinal)
  out[#out + 1] = {
    type = "tool_call_start",
    index = item.ordinal,
    id = item.call_id,
    name = item.name or "",
  }
  local delta = table.concat(item.seen)
  if delta ~= "" then
    out[#out + 1] = { type = "tool_call_delta", index = item.ordinal, delta = delta }
  end
end

local function name_call(self, item, wire, out)
  self.has_calls = true
  item.call_id = item.call_id or fields.text(wire.call_id) or fields.text(wire.id)
  item.name = item.name or fields.text(wire.name)
  if item.name and item.call_id then
    start_call(self, item, out)
  end
end

local function add_arguments(self, item, delta, out)
  self.has_calls = true
  if delta ~= "" then
    table.insert(item.seen, delta)
    if item.started then
      out[#out + 1] = { type = "tool_call_delta", index = item.ordinal, delta = delta }
    end
  end
end

--- Takes the announcement of an item.
---@param event table
---@param out panto.Item[]
function Output:open(event, out)
  local wire = fields.object(event.item)
  if not wire or not fields.text(wire.type) then
    return
  end
  local item = self.items:add(event, wire)
  item.id = fields.text(wire.id)
  if item.type == "message" then
    item.phase = fields.text(wire.phase)
  elseif item.type == "reasoning" then
    item.sealed = fields.text(wire.encrypted_content)
  elseif item.type == "function_call" then
    item.initial = arguments_text(wire.arguments)
    name_call(self, item, wire, out)
  end
end

--- Takes a piece of an answer's text, or with `whole` all of it.
---@param event table
---@param text any
---@param out panto.Item[]
---@param whole boolean?
function Output:text(event, text, out, whole)
  text = fields.text(text) or ""
  local item = self.items:find(event, "message")
  if not whole or #item.seen == 0 then
    add_text(self, item, text, out)
  end
end

--- Takes a piece of the reasoning.
---@param event table
---@param field "summary"|"reasoning_text"
---@param out panto.Item[]
function Output:thinking(event, field, out)
  local item = self.items:find(event, "reasoning")
  local part = fields.count(event.summary_index) or fields.count(event.content_index) or 0
  add_thinking(self, item, field, part, fields.text(event.delta) or "", out)
end

--- Takes a piece of a call's arguments, or with `whole` all of them.
---@param event table
---@param arguments any
---@param out panto.Item[]
---@param whole boolean?
function Output:arguments(event, arguments, out, whole)
  local item = self.items:find(event, "function_call")
  local text = arguments_text(arguments)
  if whole then
    item.name = item.name or fields.text(event.name)
    text = rest_of(item, text)
  end
  add_arguments(self, item, text, out)
end

local close = {}

function close.message(self, item, wire, out)
  local texts = {}
  for _, part in ipairs(fields.object(wire.content) or {}) do
    local refusal = fields.object(part) and fields.text(part.refusal)
    self.refused = self.refused or refusal ~= nil
    texts[#texts + 1] = refusal or fields.object(part) and fields.text(part.text)
  end
  item.phase = item.phase or fields.text(wire.phase)
  add_text(self, item, rest_of(item, table.concat(texts)), out)
end

local function show_parts(self, item, field, parts, out)
  for index, part in ipairs(fields.object(parts) or {}) do
    local text = fields.object(part) and fields.text(part.text) or ""
    add_thinking(self, item, field, index, text, out)
  end
end

function close.reasoning(self, item, wire, out)
  if #item.seen == 0 then
    show_parts(self, item, "summary", wire.summary, out)
  end
  if #item.seen == 0 then
    item.field = nil
    show_parts(self, item, "reasoning_text", wire.content, out)
  end
  if self.thinker == item then
    self.thinker = nil
  end
  keep_reasoning(self, item, out, wire)
end

function close.function_call(self, item, wire, out)
  name_call(self, item, wire, out)
  add_arguments(self, item, rest_of(item, arguments_text(wire.arguments)), out)
end

local function close_item(self, item, wire, out)
  if item.ended then
    return
  end
  item.ended = true
  local close_known = close[item.type]
  if close_known then
    close_known(self, item, wire, out)
  else
    close_thinking(self, out)
    add_opaque(self, out, wire)
  end
end

--- Takes a whole item: of a known one only what its pieces left out, an unknown one as it is.
---@param event table
---@param out panto.Item[]
function Output:close(event, out)
  local wire = fields.object(event.item)
  if wire and fields.text(wire.type) then
    close_item(self, self.items:match(event, wire), wire, out)
  end
end

--- Takes the list of whole items at the end of an answer: first what completes a known one.
---@param list any
---@param out panto.Item[]
function Output:close_all(list, out)
  local counts, unknown = {}, {}
  for _, wire in ipairs(fields.object(list) or {}) do
    local kind = fields.object(wire) and fields.text(wire.type)
    if kind then
      counts[kind] = (counts[kind] or 0) + 1
      local item = self.items:nth(kind, counts[kind])
      if item then
        close_item(self, item, wire, out)
      else
        unknown[#unknown + 1] = wire
      end
    end
  end
  for _, wire in ipairs(unknown) do
    close_item(self, self.items:open(wire.type), wire, out)
  end
end

--- Ends the calls of a whole answer; of a `truncated` one only those with whole arguments.
---@param out panto.Item[]
---@param truncated boolean
function Output:close_calls(out, truncated)
  for _, item in ipairs(self.items.list) do
    if item.type == "function_call" then
      start_call(self, item, out)
      if #item.seen == 0 then
        add_arguments(self, item, item.initial or "", out)
      end
      if not truncated or fields.is_whole(table.concat(item.seen)) then
        out[#out + 1] = { type = "tool_call_end", index = item.ordinal }
      end
    end
  end
end

return output
