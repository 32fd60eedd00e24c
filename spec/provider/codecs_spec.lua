local codecs = require("panto.provider.codecs")
local json = require("panto.base.json")

local IDS = {
  anthropic_messages = "toolu_01A",
  openai_chat = "functions.look:0",
  openai_responses = "call_" .. ("long"):rep(30),
}

local function provider_of(style, name)
  return {
    name = name or style,
    style = style,
    base_url = "http://127.0.0.1:1/v1",
    prompt_cache = true,
    extra_headers = {},
  }
end

local function model_of(style, name)
  return {
    alias = "m",
    provider = name or style,
    model = "wire-" .. style,
    max_tokens = 64000,
    reasoning = "high",
    api_version = "2023-06-01",
    thinking = "enabled",
    effort = "medium",
    thinking_budget_tokens = 2000,
  }
end

-- What each style keeps of a model's thinking; every piece says that it is sealed.
local SEALED = {
  anthropic_messages = {
    { type = "thinking", text = "thought A", signature = "sealed-signature" },
    {
      type = "opaque",
      style = "anthropic_messages",
      value = { type = "redacted_thinking", data = "sealed-data" },
    },
  },
  openai_chat = {
    { type = "thinking", text = "sealed-thought", field = "reasoning_content" },
  },
  openai_responses = {
    { type = "thinking", text = "thought R", field = "summary" },
    {
      type = "opaque",
      style = "openai_responses",
      value = {
        type = "reasoning",
        id = "rs_1",
        summary = json.array({}),
        encrypted_content = "sealed-content",
      },
    },
  },
}

local function assistant(style, parts, more)
  local message = {
    role = "assistant",
    content = parts,
    style = style,
    provider = style,
    model = "wire-" .. style,
    stop_reason = "tool_use",
  }
  for key, value in pairs(more or {}) do
    message[key] = value
  end
  return message
end

local function call(id, arguments, input)
  return { type = "tool_call", id = id, name = "std_read", arguments = arguments, input = input }
end

local function result(id, parts, is_error)
  return {
    role = "tool",
    tool_call_id = id,
    tool_name = "std_read",
    content = parts,
    is_error = is_error or false,
  }
end

local function text(words)
  return { type = "text", text = words }
end

local function user(words)
  return { role = "user", content = { text(words) } }
end

-- One round of a conversation with everything in it, as a model of this style left it.
local function round_of(style, suffix)
  local first, second = IDS[style] .. "a" .. suffix, IDS[style] .. "b" .. suffix
  local parts = table.move(SEALED[style], 1, #SEALED[style], 1, {})
  parts[#parts + 1] = text("said by " .. style)
  parts[#parts + 1] = call(first, '{"path":"a"}', { path = "a" })
  parts[#parts + 1] = call(second, '{"path":', nil)
  local image = { type = "image", media_type = "image/png", data = "QQ==" }
  return {
    user("asked of " .. style),
    assistant(style, parts),
    result(first, { text("found"), image }),
    result(second, { text("the arguments are no JSON") }, true),
    assistant(style, { SEALED[style][1], text("half said") }, { aborted = true }),
  }
end

-- The ids of calls and of results in a body of any style, in order.
local function ids_of(body)
  local calls, results = {}, {}
  for _, item in ipairs(body.input or body.messages) do
    if item.type == "function_call" then
      calls[#calls + 1] = item.call_id
    elseif item.type == "function_call_output" then
      results[#results + 1] = item.call_id
    elseif item.role == "tool" then
      results[#results + 1] = item.tool_call_id
    end
    for _, wire in ipairs(item.tool_calls or {}) do
      calls[#calls + 1] = wire.id
    end
    for _, block in ipairs(type(item.content) == "table" and item.content or {}) do
      if block.type == "tool_use" then
        calls[#calls + 1] = block.id
      elseif block.type == "tool_result" then
        results[#results + 1] = block.tool_use_id
      end
    end
  end
  return calls, results
end

local function encode(style, messages, name)
  local request = {
    system = "sys",
    messages = messages,
    tools = { { name = "std_read", description = "reads", schema = { type = "object" } } },
  }
  local codec = assert(codecs.get(style))
  return codec.encode(request, provider_of(style, name), model_of(style, name)).body
end

local LIMITS = { anthropic_messages = 64, openai_chat = 40, openai_responses = 64 }

local function check_switch(from, to)
  local messages = round_of(from, "1")
  messages[#messages + 1] = user("go on")
  local raw = encode(to, messages)
  local body = assert(json.decode(raw))
  local calls, results = ids_of(body)
  assert.are.equal(2, #calls)
  assert.are.same(calls, results)
  assert.are_not.equal(calls[1], calls[2])
  for _, id in ipairs(calls) do
    assert.is_true(from == to or #id <= LIMITS[to], id)
    assert.is_falsy(to == "anthropic_messages" and id:find("[^%w_-]"), id)
  end
  assert.is_not_nil(raw:find("said by " .. from, 1, true))
  assert.is_not_nil(raw:find("half said", 1, true))
  assert.is_not_nil(raw:find("QQ==", 1, true))
  return raw
end

describe("every style", function()
  for _, to in ipairs(codecs.styles()) do
    for _, from in ipairs(codecs.styles()) do
      it(("takes a conversation from %s over to %s"):format(from, to), function()
        local raw = check_switch(from, to)
        assert.are.equal(from == to, raw:find("sealed", 1, true) ~= nil)
      end)
    end

    it(("keeps what is sealed from another provider of %s"):format(to), function()
      local raw = encode(to, round_of(to, "1"), "somebody-else")
      assert.is_nil(raw:find("sealed", 1, true))
    end)

    it(("takes a conversation through all styles and back to %s"):format(to), function()
      local messages = {}
      for count = 1, 2 do
        for _, style in ipairs(codecs.styles()) do
          local round = round_of(style, tostring(count))
          table.move(round, 1, #round, #messages + 1, messages)
        end
      end
      messages[#messages + 1] = user("go on")
      local raw = encode(to, messages)
      local calls, results = ids_of(assert(json.decode(raw)))
      assert.are.equal(4 * #codecs.styles(), #calls)
      assert.are.same(calls, results)
      assert.is_not_nil(raw:find("sealed", 1, true))
    end)
  end

  for _, style in ipairs(codecs.styles()) do
    it(("answers each call once for %s, whatever the history lacks"):format(style), function()
      local round = round_of(style, "1")
      local first = round[3]
      local twice = round_of(style, "1")
      local messages = {
        result("gone", { text("an orphan") }),
        round[1],
        round[2],
        user("said meanwhile"),
        first,
        user("said after a crash"),
        twice[2],
        twice[3],
        twice[4],
        user("go on"),
      }
      local raw = encode(style, messages)
      local calls, results = ids_of(assert(json.decode(raw)))
      assert.are.same(calls, results)
      assert.are.equal(4, #calls)
      assert.are_not.equal(calls[1], calls[3])
      for _, words in ipairs({ "an orphan", "said meanwhile", "said after a crash", "was lost" }) do
        assert.is_not_nil(raw:find(words, 1, true), words)
      end
    end)
  end

  it("is named when an unknown one is asked for", function()
    local codec, problem = codecs.get("openai_chats")
    assert.is_nil(codec)
    assert.is_not_nil(problem:find(table.concat(codecs.styles(), ", "), 1, true))
  end)
end)

-- The bytes between a key's opening bracket and its closing one.
local function list_bytes(raw, key)
  local _, from = raw:find(('"%s":['):format(key), 1, true)
  local list = json.encode(json.decode(raw)[key])
  local bytes = raw:sub(from, from + #list - 1)
  assert.are.equal(list, bytes)
  return bytes:sub(1, -2)
end

local LISTS = { openai_chat = "messages", openai_responses = "input" }

describe("a conversation of 30 turns with tools", function()
  for style, key in pairs(LISTS) do
    it(("never changes a byte of what %s was sent before"):format(style), function()
      local messages, before, tools = {}, nil, nil
      for turn = 1, 30 do
        messages[#messages + 1] = user("turn " .. turn)
        for _ = 1, 2 do
          local raw = encode(style, messages)
          local list = list_bytes(raw, key)
          if before then
            assert.are.equal(before, list:sub(1, #before))
            assert.are.equal(tools, json.encode(json.decode(raw).tools))
          end
          before, tools = list, json.encode(json.decode(raw).tools)
          -- The images of chat results stand behind the last result, so the round is added whole.
          local round = round_of(style, ("%d-%d"):format(turn, #messages))
          table.move(round, 2, 4, #messages + 1, messages)
        end
        messages[#messages + 1] = assistant(style, { SEALED[style][1], text("done " .. turn) })
      end
      assert.is_true(#messages > 200)
    end)
  end
end)
