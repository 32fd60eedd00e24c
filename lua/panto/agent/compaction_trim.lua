-- Messages into what the model is sent of them: old tool outputs as stubs, oversized texts cut.
-- The same mark always gives the same bytes, so the prefix of later requests stays as it is.

local context = require("panto.agent.context")
local json = require("panto.base.json")
local utf8x = require("panto.base.utf8x")

local trim = {}

local STUB_FROM_BYTES = 200
local LEAST_BYTES = 1000
local BYTES_PER_TOKEN = 4

---@class panto.TrimMark
---@field before integer tool outputs of the messages before this one are left out
---@field limit integer? bytes of the longest text that stays whole in messages up to `upto`
---@field upto integer? the last message whose texts are cut

local function copy_with(message, content)
  local copy = {}
  for key, value in pairs(message) do
    copy[key] = value
  end
  copy.content = json.array(content)
  return copy
end

local function size_of(message)
  local bytes = 0
  for _, part in ipairs(message.content) do
    bytes = bytes + #(part.text or part.data or "")
  end
  return bytes
end

local function stub(message)
  local bytes = size_of(message)
  if bytes < STUB_FROM_BYTES then
    return message
  end
  local text = "[this old output of %d bytes was left out to save room; call again if it is needed]"
  return copy_with(message, { { type = "text", text = text:format(bytes) } })
end

local function cut_start(text, max_bytes)
  local tail = text:sub(-max_bytes)
  return (tail:gsub("^[\x80-\xBF]+", ""))
end

--- Cuts the middle out of a text that is longer than `limit` bytes, and says so in its place.
---@param text string
---@param limit integer
---@return string
function trim.shorten(text, limit)
  if #text <= limit then
    return text
  end
  local head = utf8x.cut(text, limit * 3 // 4)
  local tail = cut_start(text, limit // 4)
  local mark = "\n[… %d bytes were cut here to save room …]\n"
  return head .. mark:format(#text - #head - #tail) .. tail
end

local function shorten_value(value, limit)
  if type(value) == "string" then
    return trim.shorten(value, limit)
  elseif type(value) ~= "table" or value == json.null then
    return value
  end
  local copy = json.is_array(value) and json.array({}) or {}
  for key, item in pairs(value) do
    copy[key] = shorten_value(item, limit)
  end
  return copy
end

local function shorten_part(part, limit)
  local long = part.text or part.arguments
  local is_cut = part.type == "text" or part.type == "tool_call"
  if not is_cut or #(long or "") <= limit then
    return part
  end
  local copy = {}
  for key, value in pairs(part) do
    copy[key] = value
  end
  if part.type == "text" then
    copy.text = trim.shorten(part.text, limit)
  else
    copy.input = part.input and shorten_value(part.input, limit) or {}
    copy.arguments = json.encode(copy.input)
  end
  return copy
end

local function shorten_message(message, limit)
  local content, changed = {}, false
  for i, part in ipairs(message.content) do
    content[i] = shorten_part(part, limit)
    changed = changed or content[i] ~= part
  end
  return changed and copy_with(message, content) or message
end

local function trimmed(message, mark, upto, index)
  if index < mark.before and message.role == "tool" then
    return stub(message)
  elseif index <= upto then
    return shorten_message(message, mark.limit)
  end
  return message
end

--- Returns the messages as the model is sent them.
---@param messages panto.Message[]
---@param mark panto.TrimMark?
---@param known table<panto.Message, panto.Message>? what the same mark made of messages before
---@return panto.Message[]
function trim.view(messages, mark, known)
  if not mark then
    return messages
  end
  known = known or {}
  local view = table.move(messages, 1, #messages, 1, {})
  local upto = mark.limit and mark.upto or 0
  for i = 1, math.min(math.max(upto, mark.before - 1), #messages) do
    local message = view[i]
    known[message] = known[message] or trimmed(message, mark, upto, i)
    view[i] = known[message]
  end
  return view
end

local function tokens_within(messages, first, limit)
  local tokens = 0
  for i = first, #messages do
    tokens = tokens + context.estimate(shorten_message(messages[i], limit))
  end
  return tokens
end

--- Finds the longest text that may stay whole so that the messages from `first` on take `keep`
--- tokens; nil when nothing must be cut.
---@param messages panto.Message[]
---@param first integer
---@param keep integer tokens
---@return integer? limit bytes
function trim.limit(messages, first, keep)
  if context.estimate_all(messages, first) <= keep then
    return nil
  end
  local limit = keep * BYTES_PER_TOKEN * 3 // 4
  while limit > LEAST_BYTES and tokens_within(messages, first, limit) > keep do
    limit = limit // 2
  end
  return math.max(limit, LEAST_BYTES)
end

return trim
