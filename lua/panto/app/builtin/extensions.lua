-- /extensions: every entry with its state, and what it has cost.

local extensions = require("panto.app.extensions")
local status = require("panto.app.status")

local function counted(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

local function row_text(row)
  local text = ("%-20s %12s %11s %8.1f ms"):format(
    row.entry,
    counted(row.calls, "call"),
    counted(row.errors, "error"),
    row.seconds * 1000
  )
  local load = (" · loaded in %.1f ms"):format((row.load_seconds or 0) * 1000)
  if row.declared_tokens > 0 or (row.result_tokens or 0) > 0 then
    local declared, results = status.count(row.declared_tokens), status.count(row.result_tokens)
    load = load .. (" · about %s tokens a request, %s of results"):format(declared, results)
  end
  return text .. load
end

local function others(setup)
  local lines = {}
  for _, entry in ipairs(setup.entries) do
    if entry.status ~= "active" then
      local by = entry.by and " by " .. entry.by or ""
      lines[#lines + 1] = ("%-20s %s%s (%s)"):format(entry.name, entry.status, by, entry.file)
    end
  end
  return lines
end

--- Shows every entry and its cost.
---@param app panto.App
local function run(app)
  local setup, lines = app.setup, {}
  for i, row in ipairs(extensions.accounts(setup)) do
    lines[i] = row_text(row)
  end
  table.move(others(setup), 1, #setup.entries, #lines + 1, lines)
  app:tell("info", table.concat(lines, "\n"))
  for _, failure in ipairs(setup.failures) do
    app:tell("error", extensions.describe(failure))
  end
end

---@type panto.Builtin
return { name = "extensions", description = "Show the extensions and their cost.", run = run }
