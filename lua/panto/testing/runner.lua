-- Runs the tests of spec files one after the other; each test's end is told to a report.

local assertions = require("panto.testing.assertions")
local clock = require("panto.sys.clock")
local guard = require("panto.sys.guard")
local task = require("panto.sys.task")
local tree = require("panto.testing.tree")
local watchdog = require("panto.sys.watchdog")

local runner = {}

local LIMIT_MS = 30000

---@class panto.TestOutcome
---@field status "passed"|"failed"|"error"|"pending"
---@field message string?
---@field place string? file and line
---@field ms integer? how long it took
---@field trace string? the frames of the spec and its extension

---@class panto.TestReport
---@field file fun(self, path: string)
---@field test fun(self, names: string[], outcome: panto.TestOutcome)

---@class panto.Runner
---@field report panto.TestReport
---@field filter string? a pattern that a test's whole name matches
---@field spec panto.SpecFile
---@field path string

local function is_own(frame)
  return frame:find("^%[C%]")
    or frame:find("panto/testing/", 1, true)
    or frame:find("panto/sys/", 1, true)
    or frame:find("(...tail calls...)", 1, true)
end

local function frames_of(trace)
  local kept = {}
  for frame in trace:gmatch("\n%s+([^\n]+)") do
    if not is_own(frame) then
      kept[#kept + 1] = frame
    end
  end
  return kept
end

-- The place in the spec file itself is what its reader looks for.
local function find_place(self, frames, levels)
  for level = 2, levels do
    local info = debug.getinfo(level, "Sl")
    if not info then
      break
    elseif info.source == "@" .. self.path then
      return ("%s:%d"):format(self.spec and self.spec.path or self.shown, info.currentline)
    end
  end
  return frames[1] and frames[1]:match("^(.-:%d+):")
end

local function outcome_of(self, err)
  if type(err) == "table" and err.pending then
    return { status = "pending", message = err.pending }
  end
  local is_failure = assertions.is_failure(err)
  local trace = is_failure and err.trace or debug.traceback("", 2)
  local frames = frames_of(trace)
  return {
    status = is_failure and "failed" or "error",
    message = is_failure and err.message or guard.show(err),
    place = find_place(self, frames, 60),
    trace = not is_failure and table.concat(frames, "\n") or nil,
  }
end

-- Calls a function under watch; nil, or the outcome that its error makes.
local function attempt(self, fn, ...)
  local ok, result = watchdog.call(fn, function(err)
    return outcome_of(self, err)
  end, ...)
  return not ok and result or nil, result
end

local function worse(one, other)
  if not one or (one.status == "pending" and other and other.status ~= "pending") then
    return other
  end
  return one
end

local function run_ends(self)
  local found
  local ends = self.spec.ends
  self.spec.ends = {}
  for i = #ends, 1, -1 do
    found = worse(found, (attempt(self, ends[i])))
  end
  return found
end

local function run_all(self, list)
  local found
  for _, fn in ipairs(list) do
    found = worse(found, (attempt(self, fn)))
    if found then
      break
    end
  end
  return found
end

local function run_body(self, item, blocks)
  local found
  for _, block in ipairs(blocks) do
    found = found or run_all(self, block.before_each)
  end
  found = found or (attempt(self, item.fn))
  for i = #blocks, 1, -1 do
    found = worse(found, run_all(self, blocks[i].after_each))
  end
  return worse(found, run_ends(self))
end

local function run_limited(self, item, blocks)
  local lost
  task.on_unhandled(function(err, trace)
    lost = { status = "error", message = trace or tostring(err) }
  end)
  self.spec.is_running = true
  local in_time, found = task.timeout(LIMIT_MS, function()
    task.sleep(0) -- the limit's own sleep begins before a test stops the clock
    return run_body(self, item, blocks)
  end)
  self.spec.is_running = false
  if not in_time then
    run_ends(self)
    found = { status = "error", message = ("it did not end within %d s"):format(LIMIT_MS // 1000) }
  end
  return found or lost or { status = "passed" }
end

local function is_wanted(self, names)
  return not self.filter or table.concat(names, " "):find(self.filter) ~= nil
end

local run_block

local function run_item(self, item, blocks, names)
  local all = { table.unpack(names) }
  all[#all + 1] = item.name
  if item.kind == "block" then
    return run_block(self, item, blocks, all)
  elseif not is_wanted(self, all) then
    return
  elseif item.kind == "pending" then
    self.report:test(all, { status = "pending" })
  else
    local started = clock.mono_ms()
    local outcome = run_limited(self, item, blocks)
    outcome.ms = math.floor(clock.mono_ms() - started)
    self.report:test(all, outcome)
  end
end

function run_block(self, block, outer, names)
  local blocks = { table.unpack(outer) }
  blocks[#blocks + 1] = block
  local problem = run_all(self, block.setup)
  if problem then
    self.report:test(names, problem)
  else
    for _, item in ipairs(block.items) do
      run_item(self, item, blocks, names)
    end
  end
  problem = worse(run_all(self, block.teardown), run_ends(self))
  if problem then
    self.report:test(names, problem)
  end
end

--- Runs a spec file; call it in a task.
---@param path string absolute
---@param shown string how the path is written
---@param options { report: panto.TestReport, filter: string? }
function runner.run(path, shown, options)
  local self = { report = options.report, filter = options.filter, path = path, shown = shown }
  self.report:file(shown)
  local problem, spec = attempt(self, tree.read, path, shown)
  if problem then
    self.report:test({ "the file itself" }, problem)
    return
  end
  self.spec = spec
  run_block(self, spec.root, {}, {})
end

return runner
