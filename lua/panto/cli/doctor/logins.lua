-- Checks auth sessions, providers and models of the configuration.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local resolve = require("panto.auth.resolve")
local select_model = require("panto.config.select")

local logins = {}

local READABLE_BY_OTHERS = 63 -- 0077

local function sorted(map)
  local names = {}
  for name in pairs(map) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

local function check_sessions(report, config)
  for _, name in ipairs(sorted(config.auth)) do
    local status = resolve.status(config, name)
    local mend = status:match("%(run: (.-)%)")
    local is_empty = config.auth[name].type == "api_key" and config.auth[name].key == ""
    local variables = table.concat(config.auth[name].variables or {}, " and ")
    if is_empty then
      mend = variables ~= "" and "export " .. variables or "write auth." .. name .. ".key"
    end
    report:add((is_empty or mend) and "warn" or "ok", "auth " .. name, status, mend)
  end
end

local function check_store(report)
  local path = fs.join(env.path("data_home"), "auth.json")
  local stat = fs.stat(path)
  if stat and stat.mode & READABLE_BY_OTHERS ~= 0 then
    report:add("error", "auth.json", path .. " can be read by others", "chmod 600 " .. path)
  end
end

local function check_providers(report, config)
  for _, name in ipairs(sorted(config.providers)) do
    local provider = config.providers[name]
    local text = ("%s at %s"):format(provider.style, provider.base_url)
    report:add("ok", "provider " .. name, text)
  end
  for _, name in ipairs(sorted(config.dropped)) do
    report:add("warn", "provider " .. name, "is left out", select_model.mend(config, name))
  end
end

local function check_model(report, config)
  local choice, message = select_model.model(config)
  if choice then
    local ref = choice.provider.name .. ":" .. choice.model.alias
    local window = choice.model.context_window
    local text = window and ("%s, %d tokens of context"):format(ref, window) or ref
    report:add("ok", "model", text)
  else
    local is_chosen = config.defaults.model ~= nil and next(config.providers) ~= nil
    local mend = "export a key, or describe a provider and a model in config.toml"
    local text = message:match("^[^\n]*"):gsub("[.:]$", "")
    report:add(is_chosen and "error" or "warn", "model", text, mend)
  end
end

--- Checks who can be asked.
---@param report panto.cli.Report
---@param config panto.Config
function logins.check(report, config)
  check_sessions(report, config)
  check_store(report)
  check_providers(report, config)
  check_model(report, config)
end

return logins
