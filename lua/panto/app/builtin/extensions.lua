-- /extensions: every entry with its state, and what it has cost.

local extensions = require("panto.app.extensions")
local status = require("panto.app.status")

-- Narrow enough for 80 columns; a long name moves its row to the right.
local ROW = "%-20s %6s %6s %10s %10s %8s %8s"
local HEAD = ROW:format("entry", "calls", "errors", "time", "load", "tokens", "results")
local LEGEND = "tokens: about, in each request, for its tools; results: of what they returned"

local function milliseconds(seconds)
  return ("%.1f ms"):format((seconds or 0) * 1000)
end

local function row_text(row)
  return ROW:format(
    row.entry,
    row.calls,
    row.errors,
    milliseconds(row.seconds),
    milliseconds(row.load_seconds),
    status.count(row.declared_tokens),
    status.count(row.result_tokens or 0)
  )
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
  local setup, lines = app.setup, { HEAD }
  for i, row in ipairs(extensions.accounts(setup)) do
    lines[i + 1] = row_text(row)
  end
  lines[#lines + 1] = LEGEND
  table.move(others(setup), 1, #setup.entries, #lines + 1, lines)
  app:tell("info", table.concat(lines, "\n"))
  for _, failure in ipairs(setup.failures) do
    app:tell("error", extensions.describe(failure))
  end
end

---@type panto.Builtin
return { name = "extensions", description = "Show the extensions and their cost.", run = run }
