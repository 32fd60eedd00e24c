-- The configuration and a wish ("anthropic:sonnet" or none) into provider and model, or why not.

local merge = require("panto.config.merge")
local models = require("panto.config.models")
local report = require("panto.config.report")

local select_model = {}

local LOCAL_EXAMPLE = [[
[providers.local]
style = "openai_chat"
base_url = "http://127.0.0.1:8080/v1"
auth = "local"
[auth.local]
key = "none"]]

local OFFER = "No key at hand? `panto tutor` (in panto: /tutor) is a tour without one; "
  .. "`panto local` finds or brings a model for this machine.\n"

local function quoted_aliases(config, alias)
  local found = {}
  for _, provider in ipairs(merge.keys(config.models)) do
    if config.models[provider][alias] then
      found[#found + 1] = ('"%s:%s"'):format(provider, alias)
    end
  end
  return table.concat(found, " or ")
end

--- Splits "provider:model" at its one colon.
---@param ref string
---@return string? provider
---@return string alias_or_message
function select_model.parse(ref)
  local provider, alias = ref:match("^([^:]+):([^:]+)$")
  if provider then
    return provider, alias
  end
  local text = 'a model must look like "provider:model" (exactly one colon), found "%s"'
  text = text:format(ref)
  local first, rest = ref:match("^([^:]+):(.+)$")
  if first then
    text = ('%s; give it an alias in models.toml: [%s.ALIAS] with model = "%s"'):format(
      text,
      first,
      rest
    )
  end
  return nil, text
end

-- What a dropped provider lacks, and what to do about it.
local function lack(config, name)
  local dropped = config.dropped[name]
  local what = dropped.key == "base_url" and "address" or "key"
  if #dropped.variables == 0 then
    local place = what == "key" and ("auth.%s.key"):format(dropped.auth)
      or ("providers.%s.base_url"):format(name)
    return what, place .. " is empty"
  end
  return what, "export " .. table.concat(dropped.variables, " and ")
end

--- Says what mends a dropped provider.
---@param config panto.Config
---@param name string
---@return string
function select_model.mend(config, name)
  return ('the provider "%s" has no %s: %s'):format(name, lack(config, name))
end

local function unknown_provider(config, name)
  local names = merge.keys(merge.merge(config.providers, config.dropped))
  local text = ('there is no provider "%s"'):format(name) .. report.hint(name, names)
  return ("%s; configured: %s"):format(text, table.concat(names, ", "))
end

local function no_provider(config)
  local lines = { "no provider can be used: no API key was found." }
  local names = merge.keys(config.dropped)
  for _, name in ipairs(names) do
    lines[#lines + 1] = "  " .. select_model.mend(config, name)
  end
  if #names == 0 then
    lines[#lines + 1] = "Export OPENAI_API_KEY or ANTHROPIC_API_KEY (panto bootstrap writes "
      .. "the providers that use them)."
  end
  local path = config.user_path or "~/.config/panto/config.toml"
  lines[#lines + 1] = ("Or describe a provider of your own in %s, such as a local server:"):format(
    path
  )
  return table.concat(lines, "\n") .. "\n\n" .. LOCAL_EXAMPLE .. "\n\n" .. OFFER
end

-- The default model that cannot be used: what it needs comes first.
local function default_lacks(config, ref, name)
  local what, cure = lack(config, name)
  local text = ("the default model %s needs %s %s: %s"):format(
    ref,
    what == "key" and "a" or "an",
    what,
    cure
  )
  return next(config.providers) and text or text .. "\n" .. no_provider(config)
end

-- Of the models that a layer would take, the first whose provider can be used.
local function preferred(config)
  for _, ref in ipairs(config.defaults.models or {}) do
    local name = select_model.parse(ref)
    if name and config.providers[name] then
      return ref
    end
  end
end

-- Neither wish nor default: the only model of the only provider, or what to write.
local function only_model(config)
  local names = merge.keys(config.providers)
  if #names == 0 then
    return nil, no_provider(config)
  end
  local aliases = merge.keys(config.models[names[1]] or {})
  if #names == 1 and #aliases == 1 then
    return ("%s:%s"):format(names[1], aliases[1])
  elseif preferred(config) then
    return preferred(config)
  end
  local text = 'no model is selected: say --model provider:model, or write [defaults] model = "'
  local refs = select_model.list(config)
  local known = #refs > 0 and "; models: " .. table.concat(refs, ", ")
    or "; providers: " .. table.concat(names, ", ")
  return nil, ('%s%s" in config.toml%s'):format(text, refs[1] or names[1] .. ":MODEL", known)
end

--- Lists the models of usable providers as "provider:alias", sorted.
---@param config panto.Config
---@return string[]
function select_model.list(config)
  local refs = {}
  for _, provider in ipairs(merge.keys(config.providers)) do
    for _, alias in ipairs(merge.keys(config.models[provider] or {})) do
      refs[#refs + 1] = provider .. ":" .. alias
    end
  end
  return refs
end

--- Selects provider and model: the wish, else defaults.model, else the only model there is, else
--- the first of defaults.models that can be used.
---@param config panto.Config
---@param ref string? "provider:model"
---@return { provider: panto.Provider, model: panto.Model }?
---@return string? message
function select_model.model(config, ref)
  local message
  local is_wish = ref ~= nil
  ref = ref or config.defaults.model
  if not ref then
    ref, message = only_model(config)
    if not ref then
      return nil, message
    end
  end
  local name, alias = select_model.parse(ref)
  if not name then
    local meant = quoted_aliases(config, ref)
    return nil, alias .. (meant ~= "" and ("; did you mean %s?"):format(meant) or "")
  elseif config.dropped[name] then
    return nil, is_wish and select_model.mend(config, name) or default_lacks(config, ref, name)
  elseif not config.providers[name] then
    return nil, next(config.providers) and unknown_provider(config, name) or no_provider(config)
  end
  local entry = config.models[name] and config.models[name][alias]
  return { provider = config.providers[name], model = entry or models.new(name, alias) }
end

return select_model
