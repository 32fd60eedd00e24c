-- Joins the deltas of content blocks and tells as items what each of them brings.

local fields = require("panto.provider.fields")
local json = require("panto.base.json")

local parts = {}

local object, text_of = fields.object, fields.text

---@class panto.AnthropicPart
---@field kind string "text", "thinking", "tool_use" or "opaque"
---@field value table the block as it began
---@field pieces string[] JSON text of a call's input
---@field index integer? of a call among the calls
---@field field string? tells a text from the text block before it
---@field signature string?
---@field citations table[]?
---@field is_closed boolean the server said that it is whole
---@field is_lost boolean? another block took its place

---@class panto.AnthropicParts
---@field open table<integer, panto.AnthropicPart> wire index → block
---@field calls panto.AnthropicPart[]
---@field last panto.AnthropicPart?
local Parts = {}
Parts.__index = Parts

--- Returns a reader of the blocks of one answer.
---@return panto.AnthropicParts
function parts.new()
  return setmetatable({ open = {}, calls = {} }, Parts)
end

local function is_object(text)
  local value = object(json.decode(text))
  return value ~= nil and not json.is_array(value)
end

-- How a block begins, by kind.
local start = {}

function start.text(self, part, items)
  local before = self.last
  if before and before.kind == "text" and not before.field then
    part.field = "text"
  end
  part.citations = object(part.value.citations)
  if text_of(part.value.text) then
    items[#items + 1] = { type = "text_delta", delta = part.value.text, field = part.field }
  end
end

function start.thinking(_, part, items)
  part.signature = text_of(part.value.signature)
  if text_of(part.value.thinking) then
    items[#items + 1] = { type = "thinking_delta", delta = part.value.thinking }
  end
end

function start.tool_use(self, part, items)
  local value = part.value
  part.index = #self.calls + 1
  self.calls[part.index] = part
  items[#items + 1] = {
    type = "tool_call_start",
    index = part.index,
    id = text_of(value.id) or "",
    name = text_of(value.name) or "",
  }
end

function start.opaque() end

-- What a delta adds, by kind.
local add = {}

function add.text(part, delta, items)
  if text_of(delta.text) then
    items[#items + 1] = { type = "text_delta", delta = delta.text, field = part.field }
  end
  if object(delta.citation) then
    part.citations = part.citations or json.array({})
    part.citations[#part.citations + 1] = delta.citation
  end
end

function add.thinking(part, delta, items)
  if text_of(delta.thinking) then
    items[#items + 1] = { type = "thinking_delta", delta = delta.thinking }
  end
  if type(delta.signature) == "string" then
    part.signature = delta.signature
  end
end

local function piece_of(delta)
  local piece = delta.partial_json
  return object(piece) and json.encode(piece) or text_of(piece)
end

function add.tool_use(part, delta, items)
  local piece = piece_of(delta)
  if piece then
    part.pieces[#part.pieces + 1] = piece
    items[#items + 1] = { type = "tool_call_delta", index = part.index, delta = piece }
  end
end

-- Nobody knows what the fields of an unknown delta mean: texts go on, anything else is replaced.
function add.opaque(part, delta)
  part.pieces[#part.pieces + 1] = piece_of(delta)
  for key, new in pairs(delta) do
    if key ~= "type" and key ~= "partial_json" then
      local old = part.value[key]
      part.value[key] = type(old) == "string" and type(new) == "string" and old .. new or new
    end
  end
end

-- What is known when a block ends, by kind.
local close = {}

function close.text(part, items)
  if part.citations and #part.citations > 0 then
    local value = { type = "citations", citations = part.citations }
    items[#items + 1] = { type = "opaque", style = "anthropic_messages", value = value }
  end
end

function close.thinking(part, items)
  if part.signature then
    items[#items + 1] = { type = "thinking_signature", signature = part.signature }
  end
end

-- Some servers give the whole input with the start of the call, and no deltas.
function close.tool_use(part, items)
  local input = part.value.input
  local whole = object(input) and next(input) and json.encode(input) or text_of(input)
  if #part.pieces == 0 and whole then
    add.tool_use(part, { partial_json = whole }, items)
  end
end

function close.opaque(part, items)
  local input = table.concat(part.pieces)
  if input:find("%S") then
    if not is_object(input) then
      return
    end
    part.value.input = json.decode(input)
  end
  items[#items + 1] = { type = "opaque", style = "anthropic_messages", value = part.value }
end

--- Begins a block; one of the same index that has not ended is given up.
---@param index integer
---@param value table
---@param items panto.Item[]
---@return panto.AnthropicPart
function Parts:start(index, value, items)
  local kind = start[value.type] and value.type or "opaque"
  local part = { kind = kind, value = value, pieces = {}, is_closed = false }
  if self.open[index] then
    self.open[index].is_lost = true
  end
  self.open[index] = part
  start[kind](self, part, items)
  self.last = part
  return part
end

-- A delta without a start tells its kind itself, unless it belongs to a call.
local function start_missing(self, index, delta, items)
  if text_of(delta.text) then
    return self:start(index, { type = "text" }, items)
  elseif text_of(delta.thinking) then
    return self:start(index, { type = "thinking" }, items)
  end
  return nil
end

--- Takes one delta.
---@param index integer
---@param delta table
---@param items panto.Item[]
function Parts:add(index, delta, items)
  local part = self.open[index] or start_missing(self, index, delta, items)
  if part then
    add[part.kind](part, delta, items)
  end
end

--- Ends a block.
---@param index integer
---@param items panto.Item[]
function Parts:close(index, items)
  local part = self.open[index]
  if part then
    self.open[index] = nil
    part.is_closed = true
    close[part.kind](part, items)
  end
end

local function is_whole(part, trust)
  local text = table.concat(part.pieces)
  local is_believed = trust == "all" and (part.is_closed or not text:find("%S"))
  return not part.is_lost and (is_believed or is_object(text))
end

--- Ends the blocks of a whole answer. Calls end here and not before, for those of a broken answer
--- must never run: all of them, only those with "whole" arguments, or none.
---@param items panto.Item[]
---@param trust "all"|"whole"|"none"
function Parts:finish(items, trust)
  local indexes = {}
  for index in pairs(self.open) do
    indexes[#indexes + 1] = index
  end
  table.sort(indexes)
  for _, index in ipairs(indexes) do
    local part = self.open[index]
    self:close(index, items)
    part.is_closed = false
  end
  for _, part in ipairs(self.calls) do
    if trust ~= "none" and is_whole(part, trust) then
      items[#items + 1] = { type = "tool_call_end", index = part.index }
    end
  end
end

return parts
