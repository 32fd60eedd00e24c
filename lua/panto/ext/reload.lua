-- Evaluates the extensions anew while the session goes on, and puts the new registrations in the
-- place of the old ones at once. What cannot be loaded keeps its old version.

local evaluate = require("panto.ext.evaluate")
local loader = require("panto.ext.loader")
local wall = require("panto.ext.wall")

local reload = {}

local DEACTIVATE_MS = 5000

---@class panto.ReloadResult
---@field entries panto.Entry[]
---@field errors panto.LoadError[]
---@field kept string[] names of entries whose old version goes on

---@class panto.Reload
---@field options panto.LoadOptions
---@field old table<string, panto.Entry> the active entries by name
---@field stage { api: panto.Api, accounting: panto.Accounting?, registry: panto.Registry, bus: panto.Bus }
---@field errors panto.LoadError[]
---@field kept string[]

-- An old entry as it was before its status was decided.
local function fresh(entry)
  local copy = {}
  for key, value in pairs(entry) do
    copy[key] = value
  end
  copy.status, copy.by, copy.former = nil, nil, entry
  return copy
end

local function by_file(entries)
  return function(file)
    local found = {}
    for _, entry in ipairs(entries) do
      if entry.file == file then
        found[#found + 1] = fresh(entry)
      end
    end
    return found
  end
end

local function active_by_name(entries)
  local found = {}
  for _, entry in ipairs(entries) do
    if entry.status == "active" then
      found[entry.name] = entry
    end
  end
  return found
end

-- The winner of a name is the very entry that is active already: its file could not be read anew.
local function stays(self, entry)
  local old = self.old[entry.name]
  return old ~= nil and entry.former == old
end

local function add_error(self, entry, err)
  local problem = evaluate.error(entry.file, err.message, err.traceback)
  problem.entry = entry.name
  self.errors[#self.errors + 1] = problem
end

local function deactivate(self, entry)
  if not entry.deactivate then
    return nil
  end
  local ok, state = wall.wait(DEACTIVATE_MS, nil, entry.deactivate)
  if ok then
    return state
  end
  state.message = "deactivate failed: " .. state.message
  add_error(self, entry, state)
end

local function copy_registrations(self, is_kept)
  local stage, options = self.stage, self.options
  stage.registry:copy(options.registry, is_kept)
  stage.bus:copy(options.api.options.bus, is_kept)
end

local function activate(self, entry, state)
  local stage = self.stage
  stage.state = state
  local done, problem = loader.activate(entry, stage)
  stage.state = nil
  return done, problem
end

local function keep(self, entry)
  self.kept[#self.kept + 1] = entry.name
  entry.status = "active"
end

-- Activates a winner; when it fails the old version is activated once more. Returns the entry.
local function renew(self, entry, states)
  local old = self.old[entry.name]
  if stays(self, entry) then
    local owner = old.owner
    copy_registrations(self, function(other)
      return other == owner
    end)
    keep(self, entry)
    return entry
  end
  local done, problem = activate(self, entry, states[entry.name])
  if done then
    return entry
  end
  self.errors[#self.errors + 1] = problem
  if not old then
    return entry
  end
  local again = fresh(old)
  done, problem = activate(self, again, states[entry.name])
  if done then
    keep(self, again)
    return again
  end
  self.errors[#self.errors + 1] = problem
  return entry
end

-- Everything else that is registered is panto's own, or was registered from outside of any entry.
local function copy_others(self, entries)
  local known = {}
  for _, entry in ipairs(entries) do
    if entry.owner then
      known[entry.owner] = true
    end
  end
  copy_registrations(self, function(owner)
    return not (owner and known[owner])
  end)
end

local function commit(self, entries)
  local api = self.options.api
  self.options.registry:adopt(self.stage.registry)
  api.options.bus:adopt(self.stage.bus)
  local living = {}
  for _, entry in ipairs(entries) do
    if entry.owner and entry.status == "active" then
      living[entry.owner] = true
      entry.owner.registry, entry.owner.bus = nil, nil
      api.owners[entry.file] = entry.owner
    end
    entry.former = nil
  end
  for _, old in pairs(self.old) do
    if not living[old.owner] then
      api:retire(old.owner)
    end
  end
end

--- Loads all extensions again; `entries` are those of the last load. Call it in a task.
---@param options panto.LoadOptions
---@param entries panto.Entry[]
---@return panto.ReloadResult
function reload.run(options, entries)
  local found, errors = loader.read(options, by_file(entries))
  local self = { options = options, old = active_by_name(entries), errors = errors, kept = {} }
  local api = options.api
  self.stage = {
    api = api,
    accounting = options.accounting,
    registry = options.registry:stage(),
    bus = api.options.bus:stage(),
  }
  local staying = {}
  for _, entry in ipairs(found) do
    staying[entry.name] = staying[entry.name] or not entry.status and stays(self, entry)
  end
  local states = {}
  for name, old in pairs(self.old) do
    if not staying[name] then
      states[name] = deactivate(self, old)
    end
  end
  for i, entry in ipairs(found) do
    if not entry.status then
      found[i] = renew(self, entry, states)
    end
  end
  copy_others(self, entries)
  commit(self, found)
  return { entries = found, errors = errors, kept = self.kept }
end

return reload
