-- Turns extension files into registered tools, commands and handlers.

local discover = require("panto.ext.discover")
local evaluate = require("panto.ext.evaluate")
local wall = require("panto.ext.wall")

local loader = {}

local ACTIVATE_MS = 10000

---@class panto.LoadOptions: panto.DiscoverOptions
---@field api panto.Api
---@field registry panto.Registry
---@field accounting panto.Accounting?
---@field allows (fun(kind: "extensions"|"tools", name: string): boolean)?

---@class panto.LoadResult
---@field entries panto.Entry[] all that were found, each with its status
---@field errors panto.LoadError[]
---@field fatal string? two tools of one name: the start must be aborted

local function evaluate_all(sources, api, errors, former)
  local entries = {}
  for _, source in ipairs(sources) do
    local before = os.clock()
    local made, problem = evaluate.run(source, api)
    local seconds = os.clock() - before
    if not made then
      errors[#errors + 1] = problem
      made = former and former(source.file)
    end
    for _, entry in ipairs(made or {}) do
      entry.read_seconds = seconds / #made
      entries[#entries + 1] = entry
    end
  end
  return entries
end

local function shadow(winner, loser)
  loser.status, loser.by = "shadowed", winner.file
end

-- The higher rank wins; between equals the first found does, and that is told.
local function resolve_names(entries, errors)
  local winners = {}
  for _, entry in ipairs(entries) do
    local other = winners[entry.name]
    if entry.status then -- a denied one shadows nobody
      goto continue
    elseif not other then
      winners[entry.name] = entry
    elseif entry.rank > other.rank then
      shadow(entry, other)
      winners[entry.name] = entry
    else
      shadow(other, entry)
      if entry.rank == other.rank then
        local text = "%s: the entry %q is already in %s, which is used"
        local message = text:format(entry.file, entry.name, other.file)
        errors[#errors + 1] = { file = entry.file, message = message }
      end
    end
    ::continue::
  end
end

local function deny(entries, allows)
  for _, entry in ipairs(entries) do
    local denied = not allows("extensions", entry.name)
    if entry.tool and not allows("tools", entry.name) then
      denied = true
    end
    if denied then
      entry.status = "denied"
    end
  end
end

local function perform(entry, api, owner, state)
  for _, call in ipairs(entry.recorded or {}) do
    local done, message = call(owner)
    if not done then
      error(message, 0)
    end
  end
  if entry.tool then
    api.ext.register_tool(entry.tool)
  elseif entry.activate then
    entry.activate(state)
  end
end

---@class panto.ActivateOptions
---@field api panto.Api
---@field accounting panto.Accounting?
---@field registry panto.Registry? where it registers, if not in the api's own
---@field bus panto.Bus?
---@field state any what the entry's former version left

--- Activates an entry; nil and the error when that fails, then nothing of it is registered.
---@param entry panto.Entry
---@param options panto.ActivateOptions
---@return boolean? done
---@return panto.LoadError?
function loader.activate(entry, options)
  local api = options.api
  local account = options.accounting and options.accounting:get(entry.name)
  local owner = {
    entry = entry.name,
    source = entry.file,
    account = account,
    tasks = setmetatable({}, { __mode = "k" }),
    registry = options.registry,
    bus = options.bus,
  }
  local before = os.clock()
  local ok, err = wall.wait(ACTIVATE_MS, owner, perform, entry, api, owner, options.state)
  if account then
    account.load_seconds = (entry.read_seconds or 0) + os.clock() - before
  end
  if ok then
    entry.status, entry.owner = "active", owner
    api.owners[entry.file] = owner
    return true
  end
  entry.status = "failed"
  api:remove(owner)
  if account then
    account.errors = account.errors + 1
  end
  local problem = evaluate.error(entry.file, err.message, err.traceback)
  problem.entry = entry.name
  return nil, problem
end

local function always()
  return true
end

--- Evaluates all files and resolves policy and shadowing: entries without a status are to be
--- activated. `former(file)` gives the entries that stand for a file which cannot be evaluated.
---@param options panto.LoadOptions
---@param former (fun(file: string): panto.Entry[])?
---@return panto.Entry[]
---@return panto.LoadError[] errors
function loader.read(options, former)
  local sources, errors = discover.run(options)
  local entries = evaluate_all(sources, options.api, errors, former)
  deny(entries, options.allows or always)
  resolve_names(entries, errors)
  return entries, errors
end

--- Loads every extension: evaluates all files, resolves policy and shadowing, activates the rest.
---@param options panto.LoadOptions
---@return panto.LoadResult
function loader.run(options)
  local entries, errors = loader.read(options)
  for _, entry in ipairs(entries) do
    if not entry.status then
      local _, problem = loader.activate(entry, options)
      errors[#errors + 1] = problem
    end
  end
  return { entries = entries, errors = errors, fatal = options.registry.collision }
end

return loader
