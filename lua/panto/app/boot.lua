-- Builds what a conversation runs on: configuration, prompt, extensions, tools, model.

local api = require("panto.ext.api")
local bus = require("panto.ext.bus")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local loader = require("panto.ext.loader")
local panto = require("panto")
local policy = require("panto.config.policy")
local prompts = require("panto.config.prompts")
local read = require("panto.config.read")
local registry = require("panto.ext.registry")
local rocks = require("panto.app.rocks")
local select_model = require("panto.config.select")
local toml = require("panto.sys.toml")
local tools = require("panto.agent.tools")

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
---@field max_rounds integer? how often a turn may ask the model
---@field failures panto.LoadError[] extensions that could not be loaded

local boot = {}

local function layer_folders(cwd)
  return {
    { name = "base", dir = fs.join(env.path("data_home"), "agent") },
    { name = "user", dir = env.path("config_home") },
    { name = "project", dir = fs.join(cwd, ".panto") },
  }
end

--- Reads the configuration of a folder.
---@param cwd string
---@return panto.Config?
---@return string? message
function boot.read_config(cwd)
  return read.load({
    paths = {
      base = fs.join(env.path("data_home"), "config.toml"),
      user = fs.join(env.path("config_home"), "config.toml"),
      project = fs.join(cwd, ".panto/config.toml"),
      project_local = fs.join(cwd, ".panto/config.local.toml"),
      models = fs.join(env.path("config_home"), "models.toml"),
    },
    read_file = fs.read,
    getenv = env.get,
    decode_toml = toml.decode,
  })
end

local function read_prompts(setup)
  local folders = {}
  for i, layer in ipairs(layer_folders(setup.cwd)) do
    folders[i] = layer.dir
  end
  local found = prompts.read({ folders = folders, read_file = fs.read })
  local default = fs.read(fs.join(env.path("lua_root"), "panto/app/SYSTEM.md"))
  setup.system = ("%s\n\nWorking folder: %s\n"):format(prompts.system(found, default), setup.cwd)
  local outline = fs.read(fs.join(env.path("lua_root"), "panto/app/COMPACTION.md"))
  setup.compaction_prompt = prompts.compaction(found, outline)
  table.move(found.warnings, 1, #found.warnings, #setup.warnings + 1, setup.warnings)
end

local function extension_paths(setup)
  local paths = {}
  for i, path in ipairs(setup.config.extensions.paths) do
    paths[i] = fs.expand(path, setup.cwd)
  end
  return paths
end

local function load_extensions(setup)
  local config = setup.config
  local function allows(kind, name)
    return policy.allows(config[kind], name)
  end
  local surface = api.new({ registry = setup.registry, bus = setup.bus, allows = allows })
  for name, value in pairs(surface.ext) do
    panto.ext[name] = value
    if choice.provider.style == "script" then
      local text = "%s is no AI: it plays the script %s"
      table.insert(setup.warnings, text:format(choice.ref, choice.provider.base_url))
    end
  end
  panto.config.shell.timeout_s = config.shell.timeout_s
  local rock_sources, warnings = rocks.sources(config.extensions.rocks)
  table.move(warnings, 1, #warnings, #setup.warnings + 1, setup.warnings)
  local loaded = loader.run({
    builtin = fs.join(env.path("lua_root"), "std"),
    layers = layer_folders(setup.cwd),
    paths = extension_paths(setup),
    rocks = rock_sources,
    api = surface,
    registry = setup.registry,
    allows = allows,
  })
  setup.failures, setup.entries = loaded.errors, loaded.entries
  return loaded.fatal
end

local function choose_model(setup, ref)
  local config = setup.config
  local choice, message = select_model.model(config, ref)
  if choice then
    choice.ref = choice.provider.name .. ":" .. choice.model.alias
  end
  setup.choice, setup.no_model = choice, message
end

--- Builds the setup of a folder.
---@param options { cwd: string, model: string?, report: fun(err: panto.HandlerError) }
---@return panto.Setup?
---@return string? message what must be mended before panto can start
function boot.load(options)
  local config, message = boot.read_config(options.cwd)
  if not config then
    return nil, message
  end
  ---@type panto.Setup
  local setup = {
    cwd = options.cwd,
    config = config,
    registry = registry.new(),
    bus = bus.new(options.report),
    warnings = { table.unpack(config.warnings) },
    failures = {},
    entries = {},
  }
  read_prompts(setup)
  local fatal = load_extensions(setup)
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
