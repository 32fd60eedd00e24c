-- A nightly job: runs a command; when it fails, an agent looks into it and leaves a report.
-- 17 3 * * * cd ~/project && panto lua examples/nightly.lua "make test" report.md

local panto = require("panto")

local command, report = arg[1] or "make test", arg[2] or "report.md"
local run = panto.process.run({ file = "sh", args = { "-c", command .. " 2>&1" } })
if run.code == 0 then
  print("all is well")
  os.exit(0)
end

local agent <close> = panto.agent.new({
  tools = { "std.read", "std.shell" },
  session = true, -- `panto --resume` goes on with it in the morning
  max_turns = 30,
})
local prompt = "`%s` failed with exit code %d. Find out why, but change nothing. "
  .. "The end of its output:\n\n%s"
local text, problem, done = agent:ask(prompt:format(command, run.code, run.stdout:sub(-20000)))
local cost = done.cost and ("%.4f USD"):format(done.cost) or "unknown cost"
local body = ("# %s\n\n%s\n\n(session %s, %s)\n"):format(
  command,
  text or "no answer: " .. problem,
  done.session,
  cost
)
assert(panto.fs.write(report, body))
print("failed, see " .. report)
os.exit(1)
