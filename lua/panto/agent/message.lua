-- Folds the items of one answer into one assistant message.

local json = require("panto.base.json")

local message = {}

---@class panto.MessageOrigin
---@field provider string?
---@field model string?
---@field style string?

---@class panto.MessageFold
---@field origin panto.MessageOrigin
---@field parts table[] open parts: texts are lists of pieces until the message is asked for
---@field calls table<integer, table> item index → part
---@field usage panto.Usage?
---@field stop { reason: string, raw: string? }?
---@field error { kind: string, message: string }?
local MessageFold = {}
MessageFold.__index = MessageFold

local function clear(self)
  self.parts = {}
  self.calls = {}
  self.usage, self.stop, self.error = nil, nil, nil
end

--- Returns an empty fold; `origin` says which provider, model and style answer.
---@param origin panto.MessageOrigin?
---@return panto.MessageFold
function message.new(origin)
  local self = setmetatable({ origin = origin or {} }, MessageFold)
  clear(self)
  return self
end

local function add_part(self, part)
  self.parts[#self.parts + 1] = part
  return part
end

-- Text goes on in the last part when that is of the same kind and field.
local function add_delta(self, kind, item)
  local part = self.parts[#self.parts]
  if not part or part.type ~= kind or part.field ~= item.field or part.signature then
    part = add_part(self, { type = kind, field = item.field, pieces = {} })
  end
  part.pieces[#part.pieces + 1] = item.delta
end

local add = {}

function add.text_delta(self, item)
  add_delta(self, "text", item)
end

function add.thinking_delta(self, item)
  add_delta(self, "thinking", item)
end

function add.thinking_signature(self, item)
  local part = self.parts[#self.parts]
  if not part or part.type ~= "thinking" or part.signature then
    part = add_part(self, { type = "thinking", pieces = {} })
  end
  part.signature = item.signature
end

function add.tool_call_start(self, item)
  local part = { type = "tool_call", id = item.id, name = item.name, pieces = {} }
  self.calls[item.index] = add_part(self, part)
end

function add.tool_call_delta(self, item)
  local part = self.calls[item.index]
  if part then
    part.pieces[#part.pieces + 1] = item.delta
  end
end

function add.tool_call_end(self, item)
  local part = self.calls[item.index]
  if part then
    part.ended = true
  end
end

function add.opaque(self, item)
  local style = item.style or self.origin.style
  add_part(self, { type = "opaque", style = style, value = item.value })
end

function add.usage(self, item)
  self.usage = item.usage
end

function add.stop(self, item)
  self.stop = { reason = item.reason, raw = item.raw }
end

function add.error(self, item)
  self.error = { kind = item.kind, message = item.message }
end

function add.restart(self)
  clear(self)
end

--- Takes the next item; kinds it does not know change nothing.
---@param item panto.Item
function MessageFold:add(item)
  local take = add[item.type]
  if take then
    take(self, item)
  end
end

local function decode_input(text)
  if not text:find("%S") then
    return {}
  end
  local value = json.decode(text)
  local is_object = type(value) == "table" and value ~= json.null and not json.is_array(value)
  return is_object and value or nil
end

-- nil for what must not go on: an empty text, a call whose end never came.
local function build_part(part)
  if part.type == "opaque" then
    return { type = "opaque", style = part.style, value = part.value }
  end
  local text = table.concat(part.pieces)
  if part.type == "tool_call" then
    return part.ended
        and {
          type = "tool_call",
          id = part.id,
          name = part.name,
          arguments = text,
          input = decode_input(text),
        }
      or nil
  elseif text == "" and not part.signature then
    return nil
  end
  return { type = part.type, text = text, field = part.field, signature = part.signature }
end

-- Calls count only in an answer that came to its stop: those of a broken one must never run.
local function build(self)
  local is_whole = self.stop ~= nil and self.error == nil
  local content = json.array({})
  for _, part in ipairs(self.parts) do
    if is_whole or part.type ~= "tool_call" then
      content[#content + 1] = build_part(part)
    end
  end
  return {
    role = "assistant",
    content = content,
    usage = self.usage,
    provider = self.origin.provider,
    model = self.origin.model,
    style = self.origin.style,
  }
end

--- Returns the message without calls that were not ended, and the error if it is not whole.
---@return panto.Message
---@return { kind: string, message: string }?
function MessageFold:message()
  local out = build(self)
  local err = self.error
  if not err and not self.stop then
    err = { kind = "cut", message = "the answer ended before it was finished" }
  end
  out.stop_reason = not err and self.stop.reason or nil
  return out, err
end

--- Returns what an aborted or failed answer left, marked as such, or nil when that is nothing.
---@return panto.Message?
function MessageFold:partial()
  local out = build(self)
  out.aborted = true
  return #out.content > 0 and out or nil
end

return message
