-- A conversation into the tokens it takes: what the provider counted, estimated only behind that.

local json = require("panto.base.json")

local context = {}

local BYTES_PER_TOKEN = 4
local IMAGE_TOKENS = 1600
local MESSAGE_TOKENS = 4

---@class panto.ContextBase
---@field count integer so many messages are counted by `tokens`; usages among them are of old
---@field tokens integer

local function bytes_of(value, depth)
  if type(value) == "string" then
    return #value
  elseif type(value) ~= "table" or depth > 20 then
    return 0
  end
  local bytes = 0
  for _, item in pairs(value) do
    bytes = bytes + bytes_of(item, depth + 1)
  end
  return bytes
end

local function part_tokens(part)
  if part.type == "image" then
    return IMAGE_TOKENS
  elseif part.type == "tool_call" then
    return (#(part.name or "") + #(part.arguments or "")) // BYTES_PER_TOKEN
  elseif part.type == "opaque" then
    return bytes_of(part.value, 1) // BYTES_PER_TOKEN
  end
  return (#(part.text or "") + #(part.signature or "")) // BYTES_PER_TOKEN
end

--- Estimates the tokens of one message: four bytes a token, an image as a fixed number.
---@param message panto.Message
---@return integer
function context.estimate(message)
  local tokens = MESSAGE_TOKENS
  for _, part in ipairs(message.content) do
    tokens = tokens + part_tokens(part)
  end
  return tokens
end

--- Estimates the tokens of the messages from `first` to `last`.
---@param messages panto.Message[]
---@param first integer?
---@param last integer?
---@return integer
function context.estimate_all(messages, first, last)
  local tokens = 0
  for i = first or 1, last or #messages do
    tokens = tokens + context.estimate(messages[i])
  end
  return tokens
end

--- Estimates what every request has besides its messages.
---@param system string
---@param definitions table[] of the tools
---@return integer
function context.estimate_fixed(system, definitions)
  return (#system + #json.encode(json.array(definitions))) // BYTES_PER_TOKEN
end

local function counted(message)
  local usage = message.role == "assistant" and message.usage
  if not usage then
    return nil
  end
  local tokens = (usage.input or 0) + (usage.output or 0)
  tokens = tokens + (usage.cache_read or 0) + (usage.cache_write or 0)
  return (usage.input or usage.cache_read) and tokens > 0 and tokens or nil
end

--- Says how many tokens the next request takes: the last answer's usage, and an estimate of what
--- came after it.
---@param messages panto.Message[]
---@param fixed integer tokens besides the messages
---@param base panto.ContextBase? what is known since the messages were last made fewer
---@return integer
function context.measure(messages, fixed, base)
  local after = 0
  for i = #messages, 1, -1 do
    local known = base and base.count >= i and base.tokens or counted(messages[i])
    if known then
      return known + after
    end
    after = after + context.estimate(messages[i])
  end
  return fixed + after
end

return context
