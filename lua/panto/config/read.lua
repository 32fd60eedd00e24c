-- The configuration files and the environment into the one Config that panto runs with.

local check = require("panto.config.check")
local key_name = require("panto.base.key_name")
local keys = require("panto.config.keys")
local layers = require("panto.config.layers")
local merge = require("panto.config.merge")
local models = require("panto.config.models")
local placeholders = require("panto.config.placeholders")
local report_of = require("panto.config.report")
local required = require("panto.config.required")
local substitute = require("panto.config.substitute")

local read = {}

local function build_auth(sections, getenv)
  local auth = {}
  for name, section in pairs(sections) do
    local expanded = substitute.expand(section, getenv)
    local values = expanded.values
    values.type = required.auth_type(section)
    values.dialect = values.dialect or (values.type == "oauth_device" and "token" or nil)
    if values.type == "api_key" then
      values.key = values.key:match("^%s*(.-)%s*$")
      values.variables = expanded.unset.key
    end
    auth[name] = values
  end
  return auth
end

local function build_provider(name, section, getenv)
  local expanded = substitute.expand(section, getenv)
  local values = expanded.values
  return {
    name = name,
    style = values.style,
    base_url = values.base_url:match("^%s*(.-)/*%s*$"),
    auth = values.auth,
    prompt_cache = values.prompt_cache ~= false,
    extra_headers = values.extra_headers or {},
  },
    expanded.unset.base_url
end

-- Providers that can be used, and those dropped for an empty key or address.
local function build_providers(sections, auth, getenv)
  local providers, dropped = {}, {}
  for name, section in pairs(sections) do
    local provider, unset = build_provider(name, section, getenv)
    local session = auth[provider.auth]
    if session and session.type == "api_key" and session.key == "" then
      dropped[name] = { auth = provider.auth, variables = session.variables }
    elseif provider.base_url == "" then
      dropped[name] = { auth = provider.auth, variables = unset, key = "base_url" }
    else
      providers[name] = provider
    end
  end
  return providers, dropped
end

local function check_addresses(report, config_layers, providers)
  for _, name in ipairs(merge.keys(providers)) do
    local address = providers[name].base_url
    local is_file = providers[name].style == keys.SCRIPT
    if not is_file and not address:match("^https?://[^/%s]") then
      local path = { "providers", name, "base_url" }
      for i = #config_layers, 1, -1 do
        if merge.get(config_layers[i].data, path) then
          local found = report_of.describe(address, address:find("@", 1, true) ~= nil)
          local text = "must begin with http:// or https://, found " .. found
          report:add_error(config_layers[i], path, text)
          break
        end
      end
    end
  end
end

-- A compaction model whose provider is not there would fail in the middle of a session.
local function check_compaction(report, config_layers, config)
  local ref = config.compaction.model
  local name = ref and ref:match("^[^:]+")
  if not name or config.providers[name] then
    return
  end
  config.compaction.model = nil
  local why = config.dropped[name] and "has no key" or "does not exist"
  for i = #config_layers, 1, -1 do
    if merge.get(config_layers[i].data, { "compaction", "model" }) then
      local text = ('is ignored: the provider "%s" %s'):format(name, why)
      report:add_warning(config_layers[i], { "compaction", "model" }, text)
      return
    end
  end
end

-- Keys by the names that their events have.
local function build_keys(section)
  local bound = {}
  for name, action in pairs(section) do
    bound[key_name.read(name)] = action
  end
  return bound
end

local function build(data, model_layer, sources)
  local auth = build_auth(data.auth or {}, sources.getenv)
  local providers, dropped = build_providers(data.providers or {}, auth, sources.getenv)
  return {
    providers = providers,
    dropped = dropped,
    auth = auth,
    defaults = data.defaults or {},
    tools = merge.merge({ allow = {}, deny = {} }, data.tools or {}),
    extensions = merge.merge(
      { allow = {}, deny = {}, paths = {}, rocks = {} },
      data.extensions or {}
    ),
    compaction = merge.merge({ keep_verbatim = 20000 }, data.compaction or {}),
    tui = data.tui or {},
    keys = build_keys(data.keys or {}),
    retry = merge.merge({ max_attempts = 5, idle_timeout_s = 300 }, data.retry or {}),
    shell = merge.merge({ timeout_s = 120 }, data.shell or {}),
    models = models.build(model_layer and model_layer.data or {}),
    user_path = sources.paths.user,
  }
end

--- Loads the layers that exist into one configuration. All errors come as one text, a line each.
---@param sources panto.config.Sources
---@return panto.Config?
---@return string? message
function read.load(sources)
  local report = report_of.new()
  local config_layers, model_layer = layers.read(sources, report)
  local data = {}
  for _, layer in ipairs(config_layers) do
    check.config(report, layer)
    placeholders.check(report, layer)
    data = merge.merge(data, layer.data)
  end
  if model_layer then
    check.models(report, model_layer)
  end
  if not report:error_text() then
    required.check(report, config_layers, data)
    if model_layer then
      models.check(report, model_layer, data.providers or {})
    end
  end
  if report:error_text() then
    return nil, report:error_text()
  end
  local config = build(data, model_layer, sources)
  check_addresses(report, config_layers, config.providers)
  check_compaction(report, config_layers, config)
  config.warnings = report:warning_texts()
  if report:error_text() then
    return nil, report:error_text()
  end
  return config
end

return read
