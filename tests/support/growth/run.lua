-- Does the work of a case once for N and once for 2 N and prints what each took, `what N 2N` a line,
-- and how many times as much the second may be.
-- usage: panto lua run.lua FILE CASE: a table of tests/support/growth/FILE.lua

local folder = arg[0]:match("^(.*)/")
local meter = dofile(folder .. "/meter.lua")
local task = require("panto.sys.task")
local case = assert(dofile(("%s/%s.lua"):format(folder, arg[1]))[arg[2]], "no such case")

local function add(cost, more)
  for what, value in pairs(more or {}) do
    cost[what] = value
  end
  return cost
end

task.loop(function()
  local costs = {}
  -- The first one loads what it needs; it is not looked at.
  for i, count in ipairs({ math.max(1, case.n // 4), case.n, 2 * case.n }) do
    local state, more = case.prepare(count), nil
    costs[i] = meter.measure(function()
      more = case.work(state)
    end)
    add(costs[i], type(more) == "table" and more.counted)
    if case.finish then
      case.finish(state)
    end
  end
  for what, cost in pairs(costs[2]) do
    io.write(("%s %.0f %.0f\n"):format(what, cost, costs[3][what]))
  end
  io.write(("most %g 0\n"):format(case.most or 2))
end)
