local json = require("panto.base.json")
local task = require("panto.sys.task")
local tools = require("panto.agent.tools")
local turn = require("panto.agent.turn")

-- Items of an answer; a function among them is called (it may wait).
local function script(answers)
  local requests, at = {}, 0
  return function(request)
    at = at + 1
    requests[at] = { messages = { table.unpack(request.messages) }, tools = request.tools }
    local items = assert(answers[at], "no answer is scripted for request " .. at)
    local position = 0
    return function()
      position = position + 1
      while type(items[position]) == "function" do
        items[position]()
        position = position + 1
      end
      return items[position]
    end
  end,
    requests
end

local function text(delta)
  return { type = "text_delta", delta = delta }
end

local function stop(reason)
  return { type = "stop", reason = reason or "stop" }
end

local function calling(...)
  local items = {}
  for i, call in ipairs({ ... }) do
    local arguments = type(call[2]) == "string" and call[2] or json.encode(call[2])
    items[#items + 1] =
      { type = "tool_call_start", index = i, id = call[3] or "id" .. i, name = call[1] }
    items[#items + 1] = { type = "tool_call_delta", index = i, delta = arguments }
    items[#items + 1] = { type = "tool_call_end", index = i }
  end
  items[#items + 1] = stop("tool_use")
  return items
end

local function tool(name, handler, more)
  local made = { name = name, description = "", schema = { type = "object" }, handler = handler }
  for key, value in pairs(more or {}) do
    made[key] = value
  end
  return made
end

local echo = tool("my.echo", function(input)
  return "echo " .. tostring(input.text)
end)

local function setup(answers, list, more)
  local stream, requests = script(answers)
  local world = { events = {}, messages = {}, requests = requests, appended = {} }
  world.options = {
    messages = world.messages,
    append = function(message)
      world.appended[#world.appended + 1] = message
    end,
    stream = stream,
    tools = assert(tools.new(list or { echo })),
    emit = function(name, payload)
      world.events[#world.events + 1] = { name = name, payload = payload }
      if world.on and world.on[name] then
        world.on[name](payload)
      end
      return payload
    end,
    system = "be brief",
    cwd = "/",
  }
  for key, value in pairs(more or {}) do
    world.options[key] = value
  end
  return world
end

local function run(world)
  return task.loop(turn.run, world.options)
end

local function names(world)
  local list = {}
  for _, event in ipairs(world.events) do
    list[#list + 1] = event.name
  end
  return table.concat(list, " ")
end

local function payloads(world, name)
  local list = {}
  for _, event in ipairs(world.events) do
    if event.name == name then
      list[#list + 1] = event.payload
    end
  end
  return list
end

local function result_text(message)
  return message.content[1].text
end

describe("a turn", function()
  it("streams an answer as events and keeps it as a message", function()
    local world = setup({
      {
        { type = "thinking_delta", delta = "hm" },
        text("hel"),
        text("lo"),
        { type = "usage", usage = { input = 3, output = 2 } },
        stop(),
      },
    })
    local outcome = run(world)
    assert.same("done", outcome.status)
    assert.same("hello", outcome.text)
    assert.same({ input = 3, output = 2 }, outcome.usage)
    assert.same(
      "turn_start thinking thinking_delta thinking_complete assistant_text assistant_text_delta "
        .. "assistant_text_delta assistant_text_complete usage turn_end",
      names(world)
    )
    assert.same("hello", payloads(world, "assistant_text_complete")[1].text)
    assert.same(1, #world.messages)
    assert.same("stop", world.messages[1].stop_reason)
  end)

  it("runs calls and asks again until there are none", function()
    local world = setup({ calling({ "my_echo", { text = "a" } }), { text("fin"), stop() } })
    local outcome = run(world)
    assert.same("fin", outcome.text)
    assert.same({ "assistant", "tool", "assistant" }, {
      world.appended[1].role,
      world.appended[2].role,
      world.appended[3].role,
    })
    assert.same("echo a", result_text(world.appended[2]))
    assert.same(2, #world.requests[2].messages)
    assert.matches(
      "tool tool_delta tool_call_complete tool_details tool_result tool_collapse assistant_text",
      names(world),
      1,
      true
    )
    assert.same("my.echo", payloads(world, "tool")[1].tool_name)
    assert.same({ text = "a" }, payloads(world, "tool_details")[1].input)
  end)

  it("runs calls together and keeps their results in call order", function()
    local slow = tool("slow", function(input)
      task.sleep(input.ms)
      return "slept " .. input.ms
    end)
    local world = setup({
      calling({ "slow", { ms = 60 } }, { "slow", { ms = 10 } }, { "slow", { ms = 30 } }),
      { text("x"), stop() },
    }, { slow })
    run(world)
    assert.same("slept 10", payloads(world, "tool_result")[1].output)
    assert.same("slept 60", result_text(world.appended[2]))
    assert.same("slept 10", result_text(world.appended[3]))
    assert.same("slept 30", result_text(world.appended[4]))
  end)

  it("runs a sequential tool alone and in its order", function()
    local open, most, order = 0, 0, {}
    local function handler(input)
      open = open + 1
      order[#order + 1] = input.n
      task.sleep(10)
      if input.alone then
        most = math.max(most, open)
      end
      open = open - 1
      return "ok"
    end
    local world = setup({
      calling(
        { "free", { n = 1 } },
        { "alone", { n = 2, alone = true } },
        { "free", { n = 3 } },
        { "free", { n = 4 } }
      ),
      { text("x"), stop() },
    }, { tool("free", handler), tool("alone", handler, { sequential = true }) })
    run(world)
    assert.same(1, most)
    assert.same({ 1, 2, 3, 4 }, order)
  end)

  it("makes every failure of a call a result and goes on", function()
    local broken = tool("broken", function()
      error("it burns")
    end)
    local strict = tool("strict", function() end, {
      schema = { type = "object", properties = { n = { type = "integer" } }, required = { "n" } },
    })
    local world = setup({
      calling({ "ecko", {} }, { "my_echo", '{"text": tru' }, { "strict", {} }, { "broken", {} }),
      { text("x"), stop() },
    }, { echo, broken, strict })
    assert.same("done", run(world).status)
    assert.matches(
      'There is no tool "ecko".*The tools are: my_echo, broken, strict',
      result_text(world.appended[2])
    )
    assert.matches("not valid JSON: .*%d+", result_text(world.appended[3]))
    assert.matches("do not fit the schema of strict: .*n", result_text(world.appended[4]))
    local trace = result_text(world.appended[5])
    assert.matches(
      "The tool broken failed: .*turn_spec.lua:%d+: it burns\n  .*turn_spec.lua:%d+: in",
      trace
    )
    assert.is_nil(trace:find("panto/agent", 1, true))
    for i = 2, 5 do
      assert.is_true(world.appended[i].is_error)
    end
  end)

  it("lets a subscriber change the input, deny the call and change the output", function()
    local world = setup({
      calling({ "my_echo", { text = "a" } }, { "my_echo", { text = "b" } }),
      { text("x"), stop() },
    })
    world.on = {
      tool_call_complete = function(payload)
        if payload.input.text == "a" then
          payload.input = { text = "changed" }
        else
          payload.denied = "not this one"
        end
      end,
      tool_result = function(payload)
        payload.output = payload.output .. "!"
      end,
    }
    run(world)
    assert.same("echo changed!", result_text(world.appended[2]))
    assert.same("The call was denied: not this one!", result_text(world.appended[3]))
    assert.is_true(world.appended[3].is_error)
    assert.same('{"text":"changed"}', world.appended[1].content[1].arguments)
  end)

  it("denies a call whose input was changed to what JSON cannot say", function()
    local world = setup({
      calling({ "my_echo", { text = "a" } }, { "my_echo", { text = "b" } }),
      { text("x"), stop() },
    })
    world.on = {
      tool_call_complete = function(payload)
        if payload.input.text == "a" then
          payload.input.f = print
        end
      end,
    }
    assert.same("done", run(world).status)
    assert.matches("denied: an extension changed its input", result_text(world.appended[2]))
    assert.same("echo b", result_text(world.appended[3]))
    assert.same({ text = "a" }, world.appended[1].content[1].input)
  end)

  it("gives ids to calls that came without one or with the same", function()
    local world = setup({
      calling({ "my_echo", {}, "" }, { "my_echo", {}, "x" }, { "my_echo", {}, "x" }),
      { text("x"), stop() },
    })
    run(world)
    local seen = {}
    for i, part in ipairs(world.appended[1].content) do
      assert.is_true(part.id ~= "" and not seen[part.id])
      seen[part.id] = true
      assert.same(part.id, world.appended[i + 1].tool_call_id)
    end
  end)

  it("delivers steering after the running calls, and after a last answer too", function()
    local waiting = { "look here" }
    local world = setup(
      {
        calling({ "my_echo", {} }),
        { text("x"), stop() },
        { text("y"), stop() },
      },
      nil,
      {
        take_steering = function()
          local taken = waiting
          waiting = taken[1] == "look here" and { "and here" } or {}
          return taken
        end,
      }
    )
    assert.same("y", run(world).text)
    assert.same("look here", world.requests[2].messages[3].content[1].text)
    assert.same("and here", world.requests[3].messages[5].content[1].text)
    assert.same(2, #payloads(world, "user_message"))
  end)

  it("tells the model at the fourth same result and stops at the eighth", function()
    local answers = {}
    for i = 1, 9 do
      answers[i] = calling({ "my_echo", { text = "again" } })
    end
    local world = setup(answers)
    local outcome = run(world)
    assert.same("error", outcome.status)
    assert.same("loop", outcome.error.kind)
    assert.same(8, #world.requests)
    assert.same("echo again", result_text(world.appended[6]))
    assert.matches("made 4 times running with the same result", result_text(world.appended[8]))
    assert.same("tool", world.appended[#world.appended].role)
  end)

  it("names a limit, a refusal and a content filter to the user", function()
    for reason, words in pairs({
      length = "max_tokens",
      refusal = "refused",
      content_filter = "filter",
    }) do
      local world = setup({ { text("half"), stop(reason) } })
      assert.same("done", run(world).status)
      assert.matches(words, payloads(world, "notice")[1].text)
    end
  end)

  it("keeps the text before a failed stream and tells the failure", function()
    local world =
      setup({ { text("half"), { type = "error", kind = "cut", message = "it broke off" } } })
    local outcome = run(world)
    assert.same("error", outcome.status)
    assert.same({ kind = "cut", message = "it broke off" }, payloads(world, "error")[1])
    assert.same("half", world.messages[1].content[1].text)
    assert.is_true(world.messages[1].aborted)
  end)

  it("drops what an attempt that is retried had yielded", function()
    local world = setup({
      {
        text("wrong"),
        { type = "retry", attempt = 1, max_attempts = 5, wait_ms = 10, message = "503" },
        { type = "restart" },
        text("right"),
        stop(),
      },
    })
    assert.same("right", run(world).text)
    assert.matches("retry restart assistant_text ", names(world))
    assert.same("right", world.messages[1].content[1].text)
  end)

  it("appends no empty message", function()
    local world = setup({ { stop() } })
    assert.same("done", run(world).status)
    assert.same(0, #world.messages)
    assert.matches("answered nothing", payloads(world, "notice")[1].text)
  end)

  it("stops after the number of requests that it is given", function()
    local world = setup(
      { calling({ "my_echo", {} }), calling({ "my_echo", {} }) },
      nil,
      { max_rounds = 1 }
    )
    assert.same("max_turns", run(world).error.kind)
    assert.same(2, #world.appended)
  end)

  it("makes an error of its own parts a status, with the traceback", function()
    local world = setup({
      {
        text("half"),
        function()
          error("codec bug")
        end,
      },
    })
    local outcome = run(world)
    assert.same("error", outcome.status)
    assert.matches("codec bug", outcome.error.message)
    assert.matches("turn_spec", outcome.error.traceback)
    assert.same("half", world.messages[1].content[1].text)
  end)
end)

describe("a cancelled turn", function()
  local function cancel_after(world, ms, again_ms)
    return task.loop(function()
      local t = task.run(turn.run, world.options)
      task.sleep(ms)
      task.cancel(t)
      if again_ms then
        task.sleep(again_ms)
        task.cancel(t)
      end
      return task.await(t)
    end)
  end

  it("keeps the text of a stream, marked, without its calls", function()
    local world = setup({
      {
        text("so far"),
        { type = "tool_call_start", index = 1, id = "a", name = "my_echo" },
        function()
          task.sleep(10000)
        end,
      },
    })
    local outcome = cancel_after(world, 20)
    assert.same("aborted", outcome.status)
    assert.same("so far", outcome.text)
    assert.same(1, #world.messages)
    assert.is_true(world.messages[1].aborted)
    assert.same(1, #world.messages[1].content)
    assert.same("aborted", payloads(world, "turn_end")[1].status)
  end)

  it("keeps nothing of a stream that had not begun", function()
    local world = setup({ {
      function()
        task.sleep(10000)
      end,
    } })
    assert.same("aborted", cancel_after(world, 20).status)
    assert.same(0, #world.messages)
  end)

  it("gives calls that had not ended an aborted result and keeps those that had", function()
    local cleaned = false
    local slow = tool("slow", function()
      local guard <close> = setmetatable({}, {
        __close = function()
          task.sleep(30)
          cleaned = true
        end,
      })
      task.sleep(10000)
      return guard
    end)
    local world = setup({
      calling({ "slow", {} }, { "my_echo", { text = "a" } }, { "slow", {} }),
    }, { slow, echo })
    assert.same("aborted", cancel_after(world, 30).status)
    assert.is_true(cleaned)
    assert.same(4, #world.messages)
    assert.matches("^aborted: ", result_text(world.messages[2]))
    assert.is_true(world.messages[2].is_error)
    assert.same("echo a", result_text(world.messages[3]))
    assert.matches("^aborted: ", result_text(world.messages[4]))
    assert.same(3, #payloads(world, "tool_result"))
  end)

  it("does not wait for the clean-up when it is cancelled again", function()
    local stubborn = tool("stubborn", function()
      local guard <close> = setmetatable({}, {
        __close = function()
          task.sleep(1000)
        end,
      })
      task.sleep(10000)
      return guard
    end)
    local world = setup({ calling({ "stubborn", {} }) }, { stubborn })
    assert.same("aborted", cancel_after(world, 20, 20).status)
    assert.same(2, #world.messages)
  end)
end)
