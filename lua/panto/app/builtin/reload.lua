-- /reload: loads all extensions anew while the session goes on.

local boot = require("panto.app.boot")
local dialog = require("panto.app.dialog")
local extensions = require("panto.app.extensions")
local task = require("panto.sys.task")
local trust = require("panto.app.trust")

-- A project that has changed since it was trusted is asked for once more; false: not to be loaded.
local function ask(app)
  local read = trust.read(app.setup.cwd)
  if read.state == "trusted" or read.state == "none" then
    return true
  elseif read.state == "refused" then
    app:tell("warning", trust.warning(read))
    return false
  end
  app:tell("info", ("%s/.panto:\n%s"):format(read.folder, trust.describe(read)))
  local question = read.state == "changed" and "It has changed since it was trusted. Load it?"
    or "It is not trusted. Load it?"
  return dialog.confirm(app.view, question) and trust.add(read) == true
end

local function count(entries)
  local active = 0
  for _, entry in ipairs(entries) do
    active = active + (entry.status == "active" and 1 or 0)
  end
  return active
end

local function reload(app)
  local setup = app.setup
  if not ask(app) then
    app:tell("warning", "Nothing was reloaded.")
    return
  end
  local message = boot.renew_rules(setup)
  if message then
    app:tell("error", message)
  end
  local result = extensions.reload(setup)
  app.focus:set(nil)
  app.view:mount_parts()
  for _, failure in ipairs(result.errors) do
    app:tell("error", "not reloaded: " .. extensions.describe(failure))
  end
  local text = ("Reloaded: %d entries are active."):format(count(result.entries))
  if result.kept[1] then
    text = text .. " The old version goes on of: " .. table.concat(result.kept, ", ") .. "."
  end
  app:tell("info", text)
end

--- Loads all extensions anew; two at once wait for each other.
---@param app panto.App
local function run(app)
  while app.reloading do
    task.join(app.reloading)
  end
  local work = task.run(reload, app)
  app.reloading = not work:done() and work or nil
  task.join(work)
  if app.reloading == work then
    app.reloading = nil
  end
  task.await(work)
end

---@type panto.Builtin
return { name = "reload", description = "Load all extensions anew.", run = run }
