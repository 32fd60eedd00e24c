-- Turns the usage object of a chat answer into panto's: input without what came from the cache.

local json = require("panto.base.json")

local usage = {}

local function count(value)
  return math.type(value) and math.tointeger(value // 1) or nil
end

local function object(value)
  return type(value) == "table" and value ~= json.null and value or {}
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
  local prompt = count(wire.prompt_tokens)
  local cached = count(input_details.cached_tokens) or count(wire.prompt_cache_hit_tokens) or 0
  local written = count(input_details.cache_write_tokens)
    or count(wire.cache_creation_input_tokens)
    or 0
  if prompt then
    -- Some servers report more cached tokens than the prompt has.
    cached = math.min(cached, prompt)
    written = math.min(written, prompt - cached)
  end
  return {
    input = prompt and prompt - cached - written,
    output = count(wire.completion_tokens),
    cache_read = cached,
    cache_write = written,
    reasoning = count(output_details.reasoning_tokens),
  }
end

return usage
