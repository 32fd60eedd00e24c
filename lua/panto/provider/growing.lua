-- Encodes a conversation message by message: what the request before has encoded is not encoded
-- again while the conversation has only grown.

local call_pairs = require("panto.provider.call_pairs")
local json = require("panto.base.json")
local json_value = require("panto.base.json_value")

local growing = {}

---@class panto.HistoryEncoder
---@field add fun(self: panto.HistoryEncoder, message: panto.Message)
---@field close fun(self: panto.HistoryEncoder): boolean? ends a request; false when it cannot go on

---@class panto.GrownHistory
---@field key any[] what the encoding depends on besides the messages
---@field seen panto.Message[] those it has taken
---@field pairs panto.CallPairs
---@field encoder panto.HistoryEncoder

-- Settings that were read anew are another table, though its name be the same.
local function is_same(one, other)
  for index = 1, math.max(#one, #other) do
    if one[index] ~= other[index] then
      return false
    end
  end
  return true
end

local function is_beginning(seen, messages)
  for index, message in ipairs(seen) do
    if messages[index] ~= message then
      return false
    end
  end
  return true
end

--- Returns an encoder that has taken all messages, each call with a result. A message that was given
--- once must not be changed.
---@generic T: panto.HistoryEncoder
---@param request panto.Request
---@param key any[] what the encoding depends on besides the messages: texts, and tables by identity
---@param new fun(): T
---@return T
function growing.encode(request, key, new)
  local kept, messages = request.kept or {}, request.messages
  local state = kept.history
  kept.history = nil
  if not (state and is_same(state.key, key) and is_beginning(state.seen, messages)) then
    state = { key = key, seen = {}, pairs = call_pairs.new(), encoder = new() }
  end
  for index = #state.seen + 1, #messages do
    state.seen[index] = messages[index]
    state.pairs:add(messages[index])
  end
  local is_settled = state.pairs:is_settled()
  state.pairs:close()
  for _, message in ipairs(state.pairs:take()) do
    state.encoder:add(message)
  end
  if state.encoder:close() ~= false and is_settled then
    kept.history = state
  end
  return state.encoder
end

--- Returns what `encode` makes of a request's tools, as JSON text that is made once for a list.
---@param request panto.Request
---@param encode fun(tools: panto.ToolDeclaration[]?): table?
---@return table? raw
function growing.tools(request, encode)
  local kept, tools = request.kept or {}, request.tools
  if not tools or kept.tools ~= tools or kept.encode ~= encode then
    local list = encode(tools)
    kept.tools, kept.encode = tools, encode
    kept.tools_text = list and json_value.raw(json.encode(list))
  end
  return kept.tools_text
end

return growing
