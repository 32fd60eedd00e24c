-- Loads the extensions of a setup, and loads them anew while the session goes on.

local api = require("panto.ext.api")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local loader = require("panto.ext.loader")
local panto = require("panto")
local policy = require("panto.config.policy")
local reload = require("panto.ext.reload")
local rocks = require("panto.app.rocks")

local extensions = {}

--- Returns the names of panto's own commands, which no extension may take: each has a file.
---@return table<string, true>
function extensions.reserved_commands()
  local names = {}
  for _, entry in ipairs(fs.list(fs.join(env.path("lua_root"), "panto/app/builtin")) or {}) do
    local stem = entry.name:match("^(.+)%.lua$")
    if stem and stem ~= "init" then
      names[stem] = true
    end
  end
  return names
end

local function has_project(setup)
  for _, layer in ipairs(setup.layers) do
    if layer.name == "project" then
      return true
    end
  end
  return false
end

-- A relative path is one of the folder that panto stands in: it counts as that folder's own code.
local function paths(setup)
  local list, is_trusted = {}, has_project(setup)
  for _, path in ipairs(setup.config.extensions.paths) do
    if is_trusted or path:find("^[/~]") then
      list[#list + 1] = fs.expand(path, setup.cwd)
    else
      local text =
        "[extensions] paths: %s is relative, so it is left out where .panto/ is not trusted"
      table.insert(setup.warnings, text:format(path))
    end
  end
  return list
end

local function load_options(setup)
  local rock_sources, warnings = rocks.sources(setup.config.extensions.rocks)
  table.move(warnings, 1, #warnings, #setup.warnings + 1, setup.warnings)
  local function allows(kind, name)
    return policy.allows(setup.config[kind], name)
  end
  return {
    builtin = fs.join(env.path("lua_root"), "std"),
    layers = setup.layers,
    paths = paths(setup),
    rocks = rock_sources,
    api = setup.api,
    registry = setup.registry,
    accounting = setup.accounting,
    allows = allows,
  }
end

--- Loads every extension of a setup; returns what must be mended before panto can start.
---@param setup panto.Setup
---@return string? fatal
function extensions.load(setup)
  local config = setup.config
  setup.api = api.new({
    registry = setup.registry,
    bus = setup.bus,
    allows = function(kind, name)
      return policy.allows(setup.config[kind], name)
    end,
    changed = function()
      extensions.renew_tools(setup)
    end,
  })
  for name, value in pairs(setup.api.ext) do
    panto.ext[name] = value
  end
  panto.config.shell.timeout_s = config.shell.timeout_s
  setup.modules = {}
  for name in pairs(package.loaded) do
    setup.modules[name] = true
  end
  local loaded = loader.run(load_options(setup))
  setup.failures, setup.entries = loaded.errors, loaded.entries
  return loaded.fatal
end

--- Gives the model the tools that are registered now, from its next request on.
---@param setup panto.Setup
---@return string? message two tools of one name
function extensions.renew_tools(setup)
  if setup.toolset then
    local done, message = setup.toolset:replace(setup.registry:tools())
    return not done and message or nil
  end
end

-- What the extensions required is read anew with them, unless it is panto's or written in C.
local function forget_modules(setup)
  for name in pairs(package.loaded) do
    local is_own = setup.modules[name] or name:find("^panto%f[.\0]") or name:find("^std%.")
    if not is_own and package.searchpath(name, package.path) then
      package.loaded[name] = nil
    end
  end
end

--- Loads all extensions anew; call it in a task.
---@param setup panto.Setup
---@return panto.ReloadResult
function extensions.reload(setup)
  forget_modules(setup)
  local result = reload.run(load_options(setup), setup.entries)
  setup.entries, setup.failures = result.entries, result.errors
  extensions.renew_tools(setup)
  return result
end

--- Returns what each active entry has cost so far.
---@param setup panto.Setup
---@return panto.AccountRow[]
function extensions.accounts(setup)
  return setup.accounting:rows(setup.entries, setup.registry:tools())
end

--- Writes a failed load for people: place, message, traceback.
---@param failure panto.LoadError
---@return string
function extensions.describe(failure)
  local place = failure.line and ("%s:%d"):format(failure.file, failure.line) or failure.file
  local entry = failure.entry and (" (the entry %s)"):format(failure.entry) or ""
  local trace = failure.traceback and "\n  " .. failure.traceback:gsub("\n", "\n  ") or ""
  return ("%s%s: %s%s"):format(place, entry, failure.message, trace)
end

return extensions
