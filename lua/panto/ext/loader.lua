-- Turns extension files into registered tools, commands and handlers.

local discover = require("panto.ext.discover")
local evaluate = require("panto.ext.evaluate")
local task = require("panto.sys.task")

local loader = {}

---@class panto.LoadOptions: panto.DiscoverOptions
---@field api panto.Api
---@field registry panto.Registry
---@field allows (fun(kind: "extensions"|"tools", name: string): boolean)?

---@class panto.LoadResult
---@field entries panto.Entry[] all that were found, each with its status
---@field errors panto.LoadError[]
---@field fatal string? two tools of one name: the start must be aborted

local function evaluate_all(sources, api, errors)
  local entries = {}
  for _, source in ipairs(sources) do
    local made, problem = evaluate.run(source, api)
    if not made then
      errors[#errors + 1] = problem
    end
    for _, entry in ipairs(made or {}) do
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

local function perform(entry, api, owner)
  for _, call in ipairs(entry.recorded or {}) do
    local done, message = call(owner)
    if not done then
      error(message, 0)
    end
  end
  if entry.tool then
    api.ext.register_tool(entry.tool)
  elseif entry.activate then
    entry.activate()
  end
end

local function activate(entry, api, errors)
  local owner = { entry = entry.name, source = entry.file }
  api:set_owner(owner)
  -- The wall around an entry: what it had registered before it failed goes away again.
  local ok, err = xpcall(perform, evaluate.trace, entry, api, owner)
  api:set_owner(nil)
  if ok then
    entry.status, entry.owner = "active", owner
    return
  end
  api:remove(owner)
  if task.is_cancelled(err) then
    error(err, 0)
  end
  entry.status = "failed"
  errors[#errors + 1] = evaluate.error(entry.file, err.message, err.traceback)
end

local function always()
  return true
end

--- Loads every extension: evaluates all files, resolves policy and shadowing, activates the rest.
---@param options panto.LoadOptions
---@return panto.LoadResult
function loader.run(options)
  local sources, errors = discover.run(options)
  local entries = evaluate_all(sources, options.api, errors)
  deny(entries, options.allows or always)
  resolve_names(entries, errors)
  for _, entry in ipairs(entries) do
    if not entry.status then
      activate(entry, options.api, errors)
    end
  end
  return { entries = entries, errors = errors, fatal = options.registry.collision }
end

return loader
