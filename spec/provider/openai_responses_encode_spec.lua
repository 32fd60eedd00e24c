local codec = require("panto.provider.openai_responses")
local json = require("panto.base.json")

local provider = { name = "p", style = "openai_responses", base_url = "http://127.0.0.1:1/v1" }
local model = { alias = "m", model = "wire-m", max_tokens = 100, reasoning = "default" }

local function encode(messages, more, at, which)
  local request = { system = "sys", messages = messages }
  for key, value in pairs(more or {}) do
    request[key] = value
  end
  local wire = codec.encode(request, at or provider, which or model)
  return json.decode(wire.body), wire
end

local function user(text)
  return { role = "user", content = { { type = "text", text = text } } }
end

local function assistant(parts, more)
  local message = {
    role = "assistant",
    content = parts,
    style = "openai_responses",
    provider = "p",
    model = "wire-m",
  }
  for key, value in pairs(more or {}) do
    message[key] = value
  end
  return message
end

local function call(id, arguments, input, name)
  return {
    type = "tool_call",
    id = id,
    name = name or "std_read",
    arguments = arguments,
    input = input,
  }
end

local function opaque(value)
  return { type = "opaque", style = "openai_responses", value = value }
end

local function reasoning(id)
  return opaque({
    type = "reasoning",
    id = id,
    summary = json.array({}),
    encrypted_content = "sealed " .. id,
  })
end

local function kinds(body)
  local out = {}
  for index, item in ipairs(body.input) do
    out[index] = item.type
  end
  return out
end

local TEXT = { type = "text", text = "yes" }

describe("encoding for openai_responses", function()
  it("asks for a stream that the server does not keep", function()
    local body, wire = encode({ user("hi") })
    assert.are.equal("/responses", wire.path)
    assert.is_false(body.store)
    assert.is_true(body.stream)
    assert.are.equal("sys", body.instructions)
    assert.are.equal("wire-m", body.model)
    assert.are.equal(100, body.max_output_tokens)
    assert.are.same({ "reasoning.encrypted_content" }, { table.unpack(body.include) })
    assert.are.same({ summary = "auto" }, body.reasoning)
    assert.is_nil(body.tools)
    assert.is_nil(body.temperature)
    assert.are.equal("input_text", body.input[1].content[1].type)
  end)

  it("maps the effort, the request's before the model's", function()
    local thinker = { model = "t", reasoning = "high" }
    local body = encode({}, nil, nil, thinker)
    assert.are.same({ effort = "high", summary = "auto" }, body.reasoning)
    body = encode({}, { effort = "off" }, nil, thinker)
    assert.are.same({ effort = "none" }, body.reasoning)
  end)

  it("does not mention reasoning to models that refuse the word", function()
    for _, name in ipairs({ "gpt-4o", "openai/gpt-4.1-mini", "gpt-5-chat-latest" }) do
      local body = encode({}, nil, nil, { model = name })
      assert.is_nil(body.reasoning, name)
      assert.is_nil(body.include, name)
    end
    assert.is_not_nil(encode({}, nil, nil, { model = "gpt-5.2-codex" }).reasoning)
  end)

  it("sends no limit to the service behind a ChatGPT login", function()
    local at = { name = "c", base_url = "https://chatgpt.com/backend-api/codex" }
    assert.is_nil(encode({}, nil, at).max_output_tokens)
  end)

  it("sends pictures of a user and of a tool as data URLs", function()
    local image = { type = "image", media_type = "image/png", data = "QQ==" }
    local body = encode({
      { role = "user", content = { { type = "text", text = "see" }, image } },
      assistant({ call("a", "{}", {}), call("b", "{}", {}), call("c", "{}", {}) }),
      { role = "tool", tool_call_id = "a", content = { image } },
      { role = "tool", tool_call_id = "b", content = { { type = "text", text = "plain" } } },
      { role = "tool", tool_call_id = "c", content = {} },
    })
    assert.are.equal("data:image/png;base64,QQ==", body.input[1].content[2].image_url)
    assert.are.equal("input_image", body.input[5].output[1].type)
    assert.are.equal("plain", body.input[6].output)
    assert.are.equal("(no output)", body.input[7].output)
    assert.are.equal("c", body.input[7].call_id)
  end)

  it("sends arguments as they came, empty ones as {}, broken ones inside of JSON", function()
    local body = encode({
      assistant({ call("a", '{ "n": 1.0 }', { n = 1.0 }), call("b", "", {}), call("c", '{"p":') }),
    })
    assert.are.equal('{ "n": 1.0 }', body.input[1].arguments)
    assert.are.equal("{}", body.input[2].arguments)
    assert.are.equal('{"invalid_json":"{\\"p\\":"}', body.input[3].arguments)
  end)

  it("sends no call name that the API refuses", function()
    local body = encode({ assistant({ call("a", "{}", {}, "std.read"), call("b", "{}", {}, "") }) })
    assert.are.equal("std_read", body.input[1].name)
    assert.are.equal("unknown", body.input[2].name)
  end)

  it("hands reasoning and unknown items back in place, as they came", function()
    local search = { type = "web_search_call", id = "ws_1", status = "completed", odd = json.null }
    local body = encode({
      assistant({
        { type = "thinking", text = "hm", field = "summary" },
        reasoning("rs_1"),
        opaque(search),
        reasoning("rs_2"),
        TEXT,
        reasoning("rs_3"),
        call("a", "{}", {}),
      }),
    })
    assert.are.equal(
      "reasoning web_search_call reasoning message reasoning function_call function_call_output",
      table.concat(kinds(body), " ")
    )
    assert.are.equal("sealed rs_1", body.input[1].encrypted_content)
    assert.is_true(json.is_array(body.input[1].summary))
    assert.are.same(search, body.input[2])
  end)

  it("drops reasoning that nothing follows, or that has no content", function()
    local body = encode({ assistant({ TEXT, reasoning("rs_1") }) })
    assert.are.same({ "message" }, kinds(body))
    local empty = opaque({ type = "reasoning", id = "rs_2", summary = json.array({}) })
    body = encode({ assistant({ empty, TEXT }) })
    assert.are.same({ "message" }, kinds(body))
  end)

  it("drops reasoning for another provider, another model, and when aborted", function()
    for _, more in ipairs({ { provider = "q" }, { model = "other" }, { aborted = true } }) do
      local body = encode({ assistant({ reasoning("rs_1"), TEXT }, more) })
      assert.are.same({ "message" }, kinds(body))
    end
    local foreign = { type = "opaque", style = "openai_chat", value = { type = "reasoning" } }
    assert.are.same({ "message" }, kinds(encode({ assistant({ foreign, TEXT }) })))
  end)

  it("keeps the phases of an answer apart, for their own provider", function()
    local parts = {
      { type = "text", text = "looking", field = "commentary" },
      { type = "text", text = "done", field = "final_answer" },
    }
    local body = encode({ assistant(parts) })
    assert.are.equal("commentary", body.input[1].phase)
    assert.are.equal("final_answer", body.input[2].phase)
    body = encode({ assistant(parts, { provider = "q" }) })
    assert.is_nil(body.input[1].phase)
  end)

  it("shortens long ids of another provider, alike in call and result", function()
    local long = ("x"):rep(300)
    local messages = {
      assistant({ call(long, "{}", {}) }, { provider = "q" }),
      { role = "tool", tool_call_id = long, content = {} },
    }
    local body = encode(messages)
    assert.is_true(#body.input[1].call_id <= 64)
    assert.are.equal(body.input[1].call_id, body.input[2].call_id)
    messages[1].provider = "p"
    assert.are.equal(long, encode(messages).input[1].call_id)
  end)

  it("sorts the tools by name and asks for no strictness", function()
    local tools = {
      { name = "std_write", description = "w", schema = { type = "object" } },
      { name = "std_read", description = "r" },
    }
    local body = encode({}, { tools = tools })
    assert.are.equal("std_read", body.tools[1].name)
    assert.is_false(body.tools[2].strict)
    assert.are.equal("std_write", tools[1].name)
  end)

  it("sends the key as a bearer token, and nothing without one", function()
    assert.are.same({ authorization = "Bearer k" }, codec.headers({ token = "k" }))
    assert.are.same({}, codec.headers(nil))
  end)
end)
