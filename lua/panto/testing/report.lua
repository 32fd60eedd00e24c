-- The ends of tests into lines for people: one a test, the failures again at the end, a tally.

local clock = require("panto.sys.clock")
local env = require("panto.sys.env")

---@class panto.ConsoleReport: panto.TestReport
---@field counts table<string, integer> by status
---@field failures { name: string, outcome: panto.TestOutcome }[]
local ConsoleReport = {}
ConsoleReport.__index = ConsoleReport

local report = {}

local MARKS = { passed = "✓", failed = "✗", error = "✗", pending = "○" }
local SLOW_MS = 100
local COLORS = { passed = "32", failed = "31", error = "31", pending = "33" }

--- Makes the report; it writes to standard output.
---@return panto.ConsoleReport
function report.new()
  return setmetatable({
    counts = { passed = 0, failed = 0, error = 0, pending = 0 },
    failures = {},
    started_ms = clock.mono_ms(),
    is_colored = env.is_terminal(1) and not env.get("NO_COLOR"),
  }, ConsoleReport)
end

local function paint(self, status, text)
  return self.is_colored and ("\27[%sm%s\27[0m"):format(COLORS[status], text) or text
end

--- Takes the beginning of a spec file.
---@param path string
function ConsoleReport:file(path)
  io.write(path, "\n")
end

--- Takes the end of a test.
---@param names string[] of the blocks around it, and its own
---@param outcome panto.TestOutcome
function ConsoleReport:test(names, outcome)
  local name, status = table.concat(names, " "), outcome.status
  self.counts[status] = self.counts[status] + 1
  local note = status == "pending" and outcome.message and (": %s"):format(outcome.message) or ""
  local ms = outcome.ms and outcome.ms >= SLOW_MS and (" (%d ms)"):format(outcome.ms) or ""
  io.write("  ", paint(self, status, MARKS[status]), " ", name, note, ms, "\n")
  if status == "failed" or status == "error" then
    table.insert(self.failures, { name = name, outcome = outcome })
  end
end

local function indent(text)
  return (text:gsub("\n", "\n    "))
end

local function write_failure(self, failure)
  local outcome = failure.outcome
  io.write("\n", paint(self, outcome.status, outcome.status .. ": " .. failure.name), "\n")
  if outcome.place then
    io.write("  ", outcome.place, "\n")
  end
  io.write("    ", indent(outcome.message or "?"), "\n")
  if outcome.trace and outcome.trace ~= "" then
    io.write("  ", (outcome.trace:gsub("\n", "\n  ")), "\n")
  end
end

--- Writes the failures and the tally; returns how many tests ran and how many did not hold.
---@return integer ran
---@return integer failed
function ConsoleReport:finish()
  for _, failure in ipairs(self.failures) do
    write_failure(self, failure)
  end
  local counts = self.counts
  local failed = counts.failed + counts.error
  local seconds = (clock.mono_ms() - self.started_ms) / 1000
  local text = "\n%d passed, %d failed, %d pending in %.1f s\n"
  io.write(text:format(counts.passed, failed, counts.pending, seconds))
  return counts.passed + failed + counts.pending, failed
end

return report
