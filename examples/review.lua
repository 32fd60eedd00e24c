-- Reviews files at the same time, each by an agent of its own in this one process:
-- panto lua examples/review.lua src/*.lua

local panto = require("panto")

local AT_ONCE = 20
local SYSTEM = "You review one file. Read it with the tool, then name at most three real problems, "
  .. 'each as "line N: …". Say "nothing" when there is none.'

local function review(path)
  local agent = panto.agent.new({ tools = { "std.read" }, system = SYSTEM, max_turns = 5 })
  local text, problem = agent:ask("Review " .. path)
  return text or ("could not be reviewed: " .. problem)
end

local found, at = {}, 0
local workers = {}
for i = 1, math.min(AT_ONCE, #arg) do
  workers[i] = function()
    while at < #arg do
      at = at + 1
      local mine = at
      found[mine] = review(arg[mine])
      io.stderr:write(("%d of %d: %s\n"):format(mine, #arg, arg[mine]))
    end
  end
end
panto.task.all(workers)

for i, path in ipairs(arg) do
  print(("## %s\n\n%s\n"):format(path, found[i]))
end
