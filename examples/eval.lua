-- Runs every task of a JSONL file ({"id","prompt","expect"}: the answer must contain the Lua pattern)
-- with a model, ten at once, and counts: panto lua examples/eval.lua tasks.jsonl [PROVIDER:MODEL]

local panto = require("panto")

local AT_ONCE = 10

local tasks = {}
for line in io.lines(arg[1]) do
  tasks[#tasks + 1] = line:find("%S") and assert(panto.json.decode(line)) or nil
end

local function run(task)
  local agent = panto.agent.new({ model = arg[2], tools = {}, system = "Answer briefly." })
  local started = panto.clock.mono_ms()
  local text, problem, done = agent:ask(task.prompt)
  return {
    id = task.id,
    passed = text ~= nil and text:find(task.expect) ~= nil,
    answer = text or problem,
    cost = done.cost,
    seconds = (panto.clock.mono_ms() - started) / 1000,
  }
end

local results, at, passed = {}, 0, 0
local workers = {}
for i = 1, AT_ONCE do
  workers[i] = function()
    while at < #tasks do
      at = at + 1
      local mine = at
      results[mine] = run(tasks[mine])
      passed = passed + (results[mine].passed and 1 or 0)
    end
  end
end
panto.task.all(workers)

for _, result in ipairs(results) do
  print(panto.json.encode(result))
end
io.stderr:write(("%d of %d passed\n"):format(passed, #tasks))
os.exit(passed == #tasks and 0 or 1)
