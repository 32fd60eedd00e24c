-- The merged configuration into errors about what is missing or does not go together.

local keys = require("panto.config.keys")
local merge = require("panto.config.merge")
local report_of = require("panto.config.report")

local required = {}

-- The highest layer in which a path stands.
local function layer_of(layers, path)
  for i = #layers, 1, -1 do
    if merge.get(layers[i].data, path) ~= nil then
      return layers[i]
    end
  end
  return layers[#layers]
end

-- The unknown key that was probably meant as the missing one.
local function misspelled(section, missing, known)
  for _, key in ipairs(merge.keys(section)) do
    if not known[key] and report_of.hint(key, { missing }) ~= "" then
      return (' (there is "%s": did you mean "%s"?)'):format(key, missing)
    end
  end
  return ""
end

local function missing(found, path, key, example)
  local fields = keys.CONFIG.fields[path[1]].each.fields
  local section = merge.get(found.data, path)
  local text = ("has no %s: write %s = %s"):format(key, key, example)
  local layer = layer_of(found.layers, path)
  found.report:add_error(layer, path, text .. misspelled(section, key, fields))
end

local PROVIDER_KEYS = {
  { "style", '"' .. table.concat(keys.STYLES, '", or "') .. '"' },
  { "base_url", '"https://…"' },
  { "auth", '"NAME" of a section [auth.NAME]' },
}

local function check_provider(found, name, provider)
  local path = { "providers", name }
  if name:find(":", 1, true) or name == "" then
    local text = "cannot be a provider's name: a model is called provider:model"
    found.report:add_error(layer_of(found.layers, path), path, text)
  end
  for _, entry in ipairs(PROVIDER_KEYS) do
    local is_needed = entry[1] ~= "auth" or provider.style ~= keys.SCRIPT
    if provider[entry[1]] == nil and is_needed then
      missing(found, path, entry[1], entry[2])
    end
  end
  local auth = provider.auth
  if auth and not merge.get(found.data, { "auth", auth }) then
    local names = merge.keys(found.data.auth or {})
    local known = #names > 0 and "; there are " .. table.concat(names, ", ") or "; there is none"
    local text = ('names "%s", but no section [auth.%s] exists'):format(auth, auth)
    local hint = report_of.hint(auth, names)
    path = { "providers", name, "auth" }
    found.report:add_error(layer_of(found.layers, path), path, text .. known .. hint)
  end
end

--- Infers an auth section's type: client_id makes oauth_device, key makes api_key.
---@param section table
---@return "api_key"|"oauth_device"|nil
function required.auth_type(section)
  if section.type then
    return section.type
  elseif section.client_id then
    return "oauth_device"
  end
  return section.key and "api_key" or nil
end

local function check_auth(found, name, section)
  local path = { "auth", name }
  local kind = required.auth_type(section)
  if not kind then
    local text = 'has no type: write key = "${env:VARIABLE}" for an API key, or client_id for OAuth'
    local hint = misspelled(section, "key", keys.CONFIG.fields.auth.each.fields)
    found.report:add_error(layer_of(found.layers, path), path, text .. hint)
  elseif kind == "oauth_device" then
    for _, key in ipairs(keys.OAUTH_REQUIRED) do
      if section[key] == nil then
        missing(found, path, key, '"…"')
      end
    end
    if section.dialect == "codex" and section.device_poll_url == nil then
      missing(found, path, "device_poll_url", '"…" (the codex dialect needs it)')
    end
  elseif section.key == nil then
    missing(found, path, "key", '"${env:VARIABLE}"')
  end
end

local function check_policy(found, kind)
  local section = found.data[kind] or {}
  local denied = {}
  for _, pattern in ipairs(section.deny or {}) do
    denied[pattern] = true
  end
  for _, pattern in ipairs(section.allow or {}) do
    if denied[pattern] then
      local path = { kind, "deny" }
      local text = 'has "%s", which %s.allow has too: keep it in one of them'
      text = text:format(pattern, kind)
      found.report:add_error(layer_of(found.layers, path), path, text)
      denied[pattern] = nil
    end
  end
end

--- Checks what only the merged layers show: missing keys, unknown auth, allow against deny.
---@param report panto.config.Report
---@param config_layers panto.config.Layer[]
---@param data table the merged layers
function required.check(report, config_layers, data)
  local found = { report = report, layers = config_layers, data = data }
  for _, name in ipairs(merge.keys(data.providers or {})) do
    check_provider(found, name, data.providers[name])
  end
  for _, name in ipairs(merge.keys(data.auth or {})) do
    check_auth(found, name, data.auth[name])
  end
  check_policy(found, "tools")
  check_policy(found, "extensions")
end

return required
