-- Runs one turn with one tool for each case on stdin; prints what came of each. All cases run
-- together, up to an empty line: what follows it runs when they are over.
-- A case is a line of JSON: name, style, url, slept (asked instead of waiting), idle_ms, cancel.

local agent_tools = require("panto.agent.tools")
local client = require("panto.provider.client")
local clock = require("panto.sys.clock")
local http = require("panto.sys.http")
local json = require("panto.base.json")
local task = require("panto.sys.task")
local tokens = require("panto.agent.tokens")
local turn = require("panto.agent.turn")

local PRICES = { input = 3, output = 15, cache_read = 0.3, cache_write = 3.75 }

local function counting_tool(seen)
  return {
    name = "my.look",
    description = "looks",
    schema = { type = "object", properties = { path = { type = "string" } } },
    handler = function(input)
      seen.runs = seen.runs + 1
      return "seen " .. tostring(input.path)
    end,
  }
end

-- The screen as it would be: a restart takes back what was streamed.
local function watcher(seen, case)
  return function(name, payload)
    if name == "assistant_text_delta" then
      seen.shown = seen.shown .. payload.delta
    elseif name == "restart" then
      seen.restarts = seen.restarts + 1
      seen.shown = seen.kept
    elseif name == "tool_result" or name == "turn_end" then
      seen.kept = seen.shown
    elseif name == "retry" then
      seen.retries[#seen.retries + 1] = { wait_ms = payload.wait_ms, message = payload.message }
      if case.cancel then
        task.cancel(seen.task)
      end
    end
    return payload
  end
end

local function stream_of(case)
  return function(request)
    return client.stream({
      provider = { name = "loop", style = case.style, base_url = case.url, auth = "loop" },
      model = { alias = "m", model = "fake", max_tokens = 500, thinking = "disabled" },
      credential = { token = case.key or "sk-loopback-0123456789" },
      request = request,
      idle_timeout_ms = case.idle_ms or 30000,
      random = function()
        return 0
      end,
      sleep = not case.cancel and function()
        local answer = http.request({ url = case.slept .. case.name })
        answer:read_all()
      end or nil,
    })
  end
end

local function add_messages(seen, messages)
  local totals = tokens.new()
  seen.texts, seen.results = json.array({}), 0
  for _, message in ipairs(messages) do
    if message.role == "tool" then
      seen.results = seen.results + 1
    elseif message.role == "assistant" then
      totals:add(message.usage or {}, PRICES)
      for _, part in ipairs(message.content) do
        if part.type == "text" then
          seen.texts[#seen.texts + 1] = part.text
        end
      end
    end
  end
  seen.cost = totals.cost
end

local function run(case)
  local seen = { name = case.name, runs = 0, restarts = 0, shown = "", kept = "" }
  seen.retries = json.array({})
  local user = { role = "user", content = { { type = "text", text = "look" } } }
  local messages = { user }
  local started = clock.mono_ms()
  seen.task = task.run(function()
    task.sleep(1)
    return turn.run({
      messages = messages,
      append = function() end,
      stream = stream_of(case),
      tools = assert(agent_tools.new({ counting_tool(seen) })),
      emit = watcher(seen, case),
      system = "be brief",
      cwd = "/",
    })
  end)
  local outcome = task.await(seen.task)
  seen.task = nil
  seen.took_ms = math.floor(clock.mono_ms() - started)
  seen.status, seen.error = outcome.status, outcome.error
  add_messages(seen, messages)
  io.write(json.encode(seen), "\n")
end

task.loop(function()
  local running = {}
  for line in io.lines() do
    if line == "" then
      task.all(running)
      running = {}
    else
      running[#running + 1] = function()
        run(assert(json.decode(line)))
      end
    end
  end
  task.all(running)
end)
