-- What is known of the models that the generated configuration names: limits that a request must keep.
-- An entry in models.toml goes before it; prices stand only there.

local known_models = {}

local LIMITS = {
  openai = {
    ["gpt-4o"] = { max_tokens = 16384, context_window = 128000 },
  },
  anthropic = {
    ["claude-sonnet-4-20250514"] = { max_tokens = 64000, context_window = 200000 },
  },
}

--- Returns the limits of a provider's model by its wire name; an empty table when none are known.
---@param provider string
---@param model string
---@return { max_tokens: integer?, context_window: integer? }
function known_models.limits(provider, model)
  return LIMITS[provider] and LIMITS[provider][model] or {}
end

return known_models
