-- Turns of growing length, and turns on conversations of growing length.

local codecs = require("panto.provider.codecs")
local json = require("panto.base.json")
local panto = require("panto")
local task = require("panto.sys.task")

local TOOL = {
  name = "echo",
  description = "Gives its text back.",
  schema = { type = "object", properties = { text = { type = "string" } } },
  handler = function(input)
    return input.text
  end,
}

local function items(list)
  local at = 0
  return function()
    at = at + 1
    return list[at]
  end
end

local function calls(first, count)
  local list = {}
  for i = 1, count do
    local arguments = ('{"text":"%d"}'):format(first + i)
    list[#list + 1] = { type = "tool_call_start", index = i, id = "c" .. first + i, name = "echo" }
    list[#list + 1] = { type = "tool_call_delta", index = i, delta = arguments }
    list[#list + 1] = { type = "tool_call_end", index = i }
  end
  list[#list + 1] = { type = "stop", reason = "tool_use" }
  return items(list)
end

local function answer()
  return items({ { type = "text_delta", delta = "done" }, { type = "stop", reason = "stop" } })
end

-- An agent whose model calls `wish.left` tools before it answers, `at_once` in each of its answers.
local function new_agent(wish)
  local asked = 0
  return panto.agent.new({
    tools = { TOOL },
    system = "s",
    session = wish.session,
    stream = function()
      if wish.left <= 0 then
        return answer()
      end
      asked, wish.left = asked + wish.at_once, wish.left - wish.at_once
      return calls(asked, wish.at_once)
    end,
  })
end

-- A turn of so many tool calls.
local function turn(made, wish, count)
  wish.left = count
  local text, problem, done = made:ask("go")
  assert(text == "done", problem or (done and done.status))
end

local function calls_case(n, at_once, session)
  return {
    n = n,
    prepare = function(count)
      local wish = { left = 0, at_once = at_once or count, session = session }
      return { agent = new_agent(wish), wish = wish, count = count }
    end,
    work = function(state)
      turn(state.agent, state.wish, state.count)
    end,
  }
end

local function history(n)
  local messages = json.array()
  for i = 1, n do
    local call = { type = "tool_call", id = "c" .. i, name = "echo", arguments = '{"text":"a"}' }
    call.input = { text = "a" }
    local text = { type = "text", text = "words and more words" }
    messages[#messages + 1] = { role = "user", content = json.array({ text }) }
    messages[#messages + 1] = { role = "assistant", content = json.array({ text, call }) }
    messages[#messages + 1] =
      { role = "tool", tool_call_id = call.id, tool_name = "echo", content = json.array({ text }) }
  end
  return messages
end

local function encode_case(name)
  return {
    n = 200,
    prepare = history,
    work = function(messages)
      local model = { alias = "m", model = "m", provider = "p", max_tokens = 1000 }
      local provider = { name = "p", style = name, base_url = "http://127.0.0.1/v1" }
      local request = { system = "s", messages = messages, tools = json.array({}) }
      assert(#assert(codecs.get(name)).encode(request, provider, model).body > 1000)
    end,
  }
end

return {
  calls_one_after_the_other = calls_case(100, 1),
  calls_kept_in_a_session = calls_case(50, 1, true),
  calls_of_one_answer = calls_case(100),
  ten_calls_after_many = {
    n = 100,
    prepare = function(count)
      local wish = { at_once = 1, left = 0 }
      local made = new_agent(wish)
      turn(made, wish, count)
      return { agent = made, wish = wish }
    end,
    work = function(state)
      turn(state.agent, state.wish, 10)
    end,
  },
  agents_at_once = {
    n = 20,
    prepare = function(count)
      return count
    end,
    work = function(count)
      local jobs = {}
      for i = 1, count do
        jobs[i] = function()
          local wish = { at_once = 1, left = 0 }
          turn(new_agent(wish), wish, 2)
        end
      end
      task.all(jobs)
    end,
  },
  encode_openai_chat = encode_case("openai_chat"),
  encode_openai_responses = encode_case("openai_responses"),
  encode_anthropic_messages = encode_case("anthropic_messages"),
}
