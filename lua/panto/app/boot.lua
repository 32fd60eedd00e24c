-- Builds what a conversation runs on: configuration, prompt, extensions, tools, model.

local accounting = require("panto.ext.accounting")
local bus = require("panto.ext.bus")
local env = require("panto.sys.env")
local extensions = require("panto.app.extensions")
local fs = require("panto.sys.fs")
local program = require("panto.app.program")
local prompts = require("panto.config.prompts")
local read = require("panto.config.read")
local registry = require("panto.ext.registry")
local select_model = require("panto.config.select")
local toml = require("panto.sys.toml")
local tools = require("panto.agent.tools")
local trust = require("panto.app.trust")

---@class panto.Setup
---@field cwd string
---@field config panto.Config
---@field bus panto.Bus
---@field registry panto.Registry
---@field toolset panto.Toolset
---@field system string the system prompt
---@field compaction_prompt string what a model is told that summarises
---@field choice { provider: panto.Provider, model: panto.Model, ref: string }? the model; nil when none can be used
---@field no_model string? why there is none
---@field model_wished boolean? the user named the model for this run
---@field warnings string[] of configuration and prompts
---@field show_login panto.auth.ShowLogin? how a turn asks for a missing login; nil: an error
---@field entries panto.Entry[] of the extensions, each with its status
---@field stream (fun(request: panto.Request): fun(): panto.Item?)? asks in place of the provider
---@field max_rounds integer? how often a turn may ask the model
---@field failures panto.LoadError[] extensions that could not be loaded
---@field layers panto.Layer[] folders that are read; the project's only when it is trusted
---@field accounting panto.Accounting
---@field api panto.Api
---@field own_model panto.own_model.Own the server that panto has started, for all agents
---@field modules table<string, true> what was required before the extensions were loaded

---@class panto.BootOptions
---@field cwd string
---@field model string?
---@field report fun(err: panto.HandlerError)
---@field providers table<string, panto.Provider>? beside those of the configuration

local boot = {}

local function layer_folders(cwd, is_trusted)
  return {
    { name = "base", dir = fs.join(env.path("data_home"), "agent") },
    { name = "user", dir = env.path("config_home") },
    is_trusted and { name = "project", dir = fs.join(cwd, ".panto") } or nil,
  }
end

local function read_layers(cwd, stand)
  local is_trusted = stand.state == "trusted"
  toml.open_cache()
  local config, message = read.load({
    paths = {
      base = fs.join(env.path("data_home"), "config.toml"),
      user = fs.join(env.path("config_home"), "config.toml"),
      project = is_trusted and fs.join(cwd, ".panto/config.toml") or nil,
      project_local = is_trusted and fs.join(cwd, ".panto/config.local.toml") or nil,
      models = fs.join(env.path("config_home"), "models.toml"),
    },
    read_file = fs.read,
    getenv = env.get,
    decode_toml = toml.decode,
  })
  if config then
    table.insert(config.warnings, trust.warning(stand))
  end
  return config, message
end

--- Reads the configuration of a folder, its project's layer only when that is trusted.
---@param cwd string
---@return panto.Config?
---@return string? message
function boot.read_config(cwd)
  return read_layers(cwd, trust.read(cwd))
end

--- Reads again which extensions and tools are allowed, and whether the project is trusted.
---@param setup panto.Setup
---@return string? message why the former rules stay
function boot.renew_rules(setup)
  local stand = trust.read(setup.cwd)
  local config, message = read_layers(setup.cwd, stand)
  if not config then
    return message
  end
  setup.layers = layer_folders(setup.cwd, stand.state == "trusted")
  setup.config.tools, setup.config.extensions = config.tools, config.extensions
end

local function read_prompts(setup)
  local folders = {}
  for i, layer in ipairs(setup.layers) do
    folders[i] = layer.dir
  end
  local found = prompts.read({ folders = folders, read_file = fs.read })
  local default = fs.read(fs.join(env.path("lua_root"), "panto/app/SYSTEM.md"))
  setup.system = ("%s\n\nWorking folder: %s\n"):format(prompts.system(found, default), setup.cwd)
  local outline = fs.read(fs.join(env.path("lua_root"), "panto/app/COMPACTION.md"))
  setup.compaction_prompt = prompts.compaction(found, outline)
  table.move(found.warnings, 1, #found.warnings, #setup.warnings + 1, setup.warnings)
end

local function choose_model(setup, ref)
  local config = setup.config
  local choice, message = select_model.model(config, ref)
  if choice then
    choice.ref = choice.provider.name .. ":" .. choice.model.alias
    if choice.provider.style == "script" then
      local text = "%s is no AI: it plays the script %s"
      table.insert(setup.warnings, text:format(choice.ref, choice.provider.base_url))
    end
  end
  setup.choice, setup.no_model = choice, message and program.named(message)
end

--- Builds the setup of a folder.
---@param options panto.BootOptions
---@return panto.Setup?
---@return string? message what must be mended before panto can start
function boot.load(options)
  local stand = trust.read(options.cwd)
  local config, message = read_layers(options.cwd, stand)
  if not config then
    return nil, message
  end
  for name, provider in pairs(options.providers or {}) do
    config.providers[name] = provider
  end
  ---@type panto.Setup
  local setup = {
    cwd = options.cwd,
    config = config,
    layers = layer_folders(options.cwd, stand.state == "trusted"),
    accounting = accounting.new(),
    registry = registry.new(extensions.reserved_commands()),
    bus = bus.new(options.report),
    warnings = { table.unpack(config.warnings) },
    failures = {},
    entries = {},
    own_model = {},
  }
  read_prompts(setup)
  local fatal = extensions.load(setup)
  if fatal then
    return nil, fatal
  end
  setup.toolset, message = tools.new(setup.registry:tools())
  if not setup.toolset then
    return nil, message
  end
  setup.model_wished = options.model ~= nil
  choose_model(setup, options.model)
  return setup
end

return boot
