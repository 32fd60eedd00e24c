-- So many agents ask at the same time; prints the milliseconds of CPU that took, without the start.
-- usage: panto lua streams.lua COUNT

local panto = require("panto")

local count = math.tointeger(tonumber(arg[1]))
panto.agent.new({ tools = {} }):ask("first")
local jobs, before = {}, os.clock()
for i = 1, count do
  jobs[i] = function()
    return assert(panto.agent.new({ tools = {} }):ask("question " .. i))
  end
end
local answers = panto.task.all(jobs)
assert(#answers == count and answers[count]:find("finis", 1, true))
io.write("cpu ", (os.clock() - before) * 1000, "\n")
