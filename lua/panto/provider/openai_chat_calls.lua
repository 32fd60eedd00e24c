-- Joins the tool call pieces of a chat stream into calls, whatever becomes of index, id and name.

local fields = require("panto.provider.fields")
local json = require("panto.base.json")

local calls = {}

---@class panto.ChatCalls
---@field list table[] calls in the order they began
---@field by_key table<any, table> wire index or id → call
---@field seed string makes ids for calls that came without one
local Calls = {}
Calls.__index = Calls

--- Returns an empty list of calls.
---@return panto.ChatCalls
function calls.new()
  return setmetatable({ list = {}, by_key = {}, seed = "" }, Calls)
end

local function arguments_text(value)
  if type(value) == "table" and value ~= json.null then
    return json.encode(value)
  end
  return type(value) == "string" and value or ""
end

local function open_call(self)
  local call = { ordinal = #self.list + 1, text = {}, pending = {}, started = false }
  self.list[call.ordinal] = call
  return call
end

-- Some servers give every parallel call the same index: a new id with a name, or a second whole
-- JSON object, is another call.
local function is_another(call, id, name, delta)
  if not name then
    return false
  end
  if id and call.id then
    return id ~= call.id
  end
  return not id and delta:find("^%s*{") ~= nil and fields.is_whole(table.concat(call.text))
end

-- A piece opens a call when nothing known answers to its index or id.
local function find_call(self, index, id, name, delta)
  local call
  if index ~= nil then
    call = self.by_key[index]
    if call and is_another(call, id, name, delta) then
      call = nil
    elseif not call and not id and not name then
      call = self.list[#self.list]
    end
  elseif id and self.by_key[id] then
    call = self.by_key[id]
  elseif not name then
    call = self.list[#self.list]
  end
  return call or open_call(self)
end

local function start(self, call, items)
  call.started = true
  call.id = call.id or ("call_%s%d"):format(self.seed, call.ordinal)
  call.name = call.name or ""
  items[#items + 1] =
    { type = "tool_call_start", index = call.ordinal, id = call.id, name = call.name }
  local delta = table.concat(call.pending)
  if delta ~= "" then
    items[#items + 1] = { type = "tool_call_delta", index = call.ordinal, delta = delta }
  end
  call.pending = nil
end

--- Adds one piece of the wire and appends what it makes known to `items`.
---@param piece table
---@param items panto.Item[]
function Calls:add(piece, items)
  local body = piece["function"]
  body = type(body) == "table" and body ~= json.null and body or piece
  local index = math.type(piece.index) and piece.index or nil
  local id, name = fields.text(piece.id), fields.text(body.name)
  local delta = arguments_text(body.arguments)
  local call = find_call(self, index, id, name, delta)
  if index ~= nil then
    self.by_key[index] = call
  end
  if id then
    self.by_key[id] = call
  end
  call.id = call.id or id
  call.name = call.name or name
  if delta ~= "" then
    call.text[#call.text + 1] = delta
  end
  if call.started then
    if delta ~= "" then
      items[#items + 1] = { type = "tool_call_delta", index = call.ordinal, delta = delta }
    end
    return
  end
  call.pending[#call.pending + 1] = delta
  if call.name and (call.id or delta ~= "") then
    start(self, call, items)
  end
end

--- Ends the calls of a whole answer; of a `truncated` one only those with whole arguments.
---@param items panto.Item[]
---@param truncated boolean
function Calls:close(items, truncated)
  for _, call in ipairs(self.list) do
    if not call.started then
      start(self, call, items)
    end
    local text = table.concat(call.text)
    if not truncated or fields.is_whole(text) then
      items[#items + 1] = { type = "tool_call_end", index = call.ordinal }
    end
  end
end

return calls
