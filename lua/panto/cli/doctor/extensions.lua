-- Checks that the extensions load, and asks each entry that has a health() how it is.
-- health() returns nothing or true when all is well, else "warn" or "error" (or false), what is
-- wrong, and what mends it; it may wait.

local accounts = require("panto.app.extensions")
local boot = require("panto.app.boot")
local task = require("panto.sys.task")

local extensions = {}

local HEALTH_MS = 5000
local SLOW_S = 0.1
local LEVELS = { ok = "ok", warn = "warn", error = "error" }

local function ask(report, entry)
  local subject = "extension " .. entry.name
  local work <close> = task.run(entry.health)
  if not task.timeout(HEALTH_MS, task.join, work) then
    report:add("error", subject, ("its health() took more than %d s"):format(HEALTH_MS // 1000))
  elseif not work.results then
    report:add("error", subject, "its health() failed: " .. tostring(work.err))
  else
    local level, text, mend = table.unpack(work.results, 1, 3)
    level = (level == nil or level == true) and "ok" or LEVELS[level] or "error"
    report:add(level, subject, tostring(text or (level == "ok" and "well" or "unwell")), mend)
  end
end

-- What each entry costs before it is used: time at the start, tokens in each request.
local function tell_cost(report, setup)
  local tokens = 0
  for _, row in ipairs(accounts.accounts(setup)) do
    tokens = tokens + row.declared_tokens
    if row.load_seconds > SLOW_S then
      local text = ("takes %.0f ms of each start"):format(row.load_seconds * 1000)
      report:add("warn", "extension " .. row.entry, text, "let it do that when it is first used")
    end
  end
  report:add("ok", "tools", ("about %d tokens in each request"):format(tokens))
end

local function place(failure)
  return failure.line and ("%s:%d"):format(failure.file, failure.line) or failure.file
end

--- Loads all extensions as a start does and checks them; to be called in a task.
---@param report panto.cli.Report
---@param cwd string
function extensions.check(report, cwd)
  local setup, message = boot.load({
    cwd = cwd,
    report = function(err)
      report:add("error", "extension " .. (err.owner and err.owner.entry or "?"), err.message)
    end,
  })
  if not setup then
    report:add("error", "extensions", message)
    return
  end
  for _, failure in ipairs(setup.failures) do
    report:add("error", "extension " .. place(failure), failure.message)
  end
  local active = 0
  for _, entry in ipairs(setup.entries) do
    if entry.status == "active" then
      active = active + 1
      if entry.health then
        ask(report, entry)
      end
    end
  end
  report:add("ok", "extensions", ("%d of %d entries are active"):format(active, #setup.entries))
  tell_cost(report, setup)
end

return extensions
