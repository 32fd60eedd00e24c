-- Joins the usage objects of one answer and turns them into panto's.

local fields = require("panto.provider.fields")

local usage = {}

local NAMES = {
  input_tokens = "input",
  output_tokens = "output",
  cache_read_input_tokens = "cache_read",
  cache_creation_input_tokens = "cache_write",
}

local function counts(value)
  return fields.object(value) or {}
end

--- Takes the counts of a usage object over into `known`; each is a total, so the last one holds.
---@param known panto.Usage?
---@param wire any
---@return panto.Usage?
function usage.add(known, wire)
  for name, key in pairs(NAMES) do
    local tokens = fields.count(counts(wire)[name])
    if tokens then
      known = known or { cache_read = 0, cache_write = 0 }
      known[key] = tokens
    end
  end
  local thought = fields.count(counts(counts(wire).output_tokens_details).thinking_tokens)
  if known and thought then
    known.reasoning = thought
  end
  return known
end

return usage
