-- Turns the usage object of a chat answer into panto's: input without what came from the cache.

local counting = require("panto.provider.usage")
local fields = require("panto.provider.fields")

local usage = {}

local count = fields.count

local function object(value)
  return fields.object(value) or {}
end

-- A usage object that says something; several servers send an empty one with each chunk.
local function filled(value)
  local found = object(value)
  return (count(found.prompt_tokens) or count(found.completion_tokens)) and found or nil
end

--- Returns the usage of a chunk wherever its server puts it, or nil.
---@param chunk table
---@param choice table?
---@return table?
function usage.find(chunk, choice)
  return chunk.usage and filled(chunk.usage)
    or choice and choice.usage and filled(choice.usage)
    or chunk.x_groq and filled(object(chunk.x_groq).usage)
    or nil
end

--- Decodes a usage object; a cache that is not mentioned counts as unused.
---@param wire table
---@return panto.Usage
function usage.decode(wire)
  local input_details = object(wire.prompt_tokens_details)
  local output_details = object(wire.completion_tokens_details)
  return counting.new({
    prompt = count(wire.prompt_tokens),
    output = count(wire.completion_tokens),
    cached = count(input_details.cached_tokens) or count(wire.prompt_cache_hit_tokens),
    written = count(input_details.cache_write_tokens) or count(wire.cache_creation_input_tokens),
    reasoning = count(output_details.reasoning_tokens),
  })
end

return usage
