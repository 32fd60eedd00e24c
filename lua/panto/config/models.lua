-- The data of models.toml into Model entries by provider and alias, with their defaults.

local keys = require("panto.config.keys")
local known_models = require("panto.config.known_models")
local merge = require("panto.config.merge")
local report_of = require("panto.config.report")

local models = {}

local DEFAULTS = {
  max_tokens = 64000,
  reasoning = "default",
  api_version = "2023-06-01",
  thinking = "disabled",
  effort = "medium",
  thinking_budget_tokens = 32000,
  thinking_interleaved = false,
}

--- Makes a model from an entry's knobs; the alias is the wire name unless the entry gives one.
---@param provider string
---@param alias string
---@param entry table?
---@return panto.Model
function models.new(provider, alias, entry)
  local model = { provider = provider, alias = alias, model = alias }
  for key, value in pairs(DEFAULTS) do
    model[key] = value
  end
  for key, value in pairs(known_models.limits(provider, entry and entry.model or alias)) do
    model[key] = value
  end
  for key, value in pairs(entry or {}) do
    if type(value) ~= "table" then
      model[key] = value
    end
  end
  if model.max_tokens <= 0 then
    model.max_tokens = DEFAULTS.max_tokens
  end
  return model
end

local function warn_foreign_knobs(report, layer, path, entry, style)
  for _, key in ipairs(merge.keys(entry)) do
    local styles = keys.KNOB_STYLES[key]
    if styles and not styles[style] then
      local text = ("does nothing here: the provider's style is %s"):format(style)
      report:add_warning(layer, { path[1], path[2], key }, text)
    end
  end
end

local function check_provider(report, layer, name, providers)
  local provider = providers[name]
  if not provider then
    local hint = report_of.hint(name, merge.keys(providers))
    local text = "is no configured provider, so its models are not used"
    report:add_warning(layer, { name }, text .. hint)
    return
  end
  for alias, entry in pairs(layer.data[name]) do
    if alias:find(":", 1, true) then
      local text = "has a colon, which a model is not reached by: choose another alias and write "
      report:add_error(layer, { name, alias }, ('%smodel = "%s"'):format(text, alias))
    end
    if entry.max_tokens and entry.max_tokens < 0 then
      local text = "must be greater than 0: the default, %d, is used"
      local path = { name, alias, "max_tokens" }
      report:add_warning(layer, path, text:format(DEFAULTS.max_tokens))
    end
    warn_foreign_knobs(report, layer, { name, alias }, entry, provider.style)
  end
end

--- Checks models.toml against the providers: unknown ones, and knobs their style does not know.
---@param report panto.config.Report
---@param layer panto.config.Layer
---@param providers table<string, table> the merged [providers]
function models.check(report, layer, providers)
  for _, name in ipairs(merge.keys(layer.data)) do
    check_provider(report, layer, name, providers)
  end
end

--- Makes the models of a checked models.toml.
---@param data table
---@return table<string, table<string, panto.Model>> by provider, then alias
function models.build(data)
  local built = {}
  for provider, entries in pairs(data) do
    built[provider] = {}
    for alias, entry in pairs(entries) do
      built[provider][alias] = models.new(provider, alias, entry)
    end
  end
  return built
end

return models
