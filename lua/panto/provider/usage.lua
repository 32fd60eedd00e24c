-- Turns the counts of an OpenAI style into panto's usage: input without what came from the cache.

local usage = {}

---@class panto.UsageCounts
---@field prompt integer? all input tokens, cached ones too
---@field output integer?
---@field cached integer? input tokens read from the cache
---@field written integer? input tokens put into the cache
---@field reasoning integer?

--- Makes a usage; a cache that is not mentioned counts as unused.
---@param counts panto.UsageCounts
---@return panto.Usage
function usage.new(counts)
  local prompt = counts.prompt
  local cached, written = counts.cached or 0, counts.written or 0
  if prompt then
    -- Some servers report more cached tokens than the prompt has.
    cached = math.min(cached, prompt)
    written = math.min(written, prompt - cached)
  end
  return {
    input = prompt and prompt - cached - written,
    output = counts.output,
    cache_read = cached,
    cache_write = written,
    reasoning = counts.reasoning,
  }
end

return usage
