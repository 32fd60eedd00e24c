local codec = require("panto.provider.openai_chat")
local json = require("panto.base.json")

local provider = { name = "p", style = "openai_chat", base_url = "http://127.0.0.1:1/v1" }
local model = { alias = "m", model = "wire-m", max_tokens = 100 }

local function text(role, words, more)
  local message = { role = role, content = { { type = "text", text = words } } }
  for key, value in pairs(more or {}) do
    message[key] = value
  end
  return message
end

local function encode(messages, more, at, which)
  local request = { system = "sys", messages = messages }
  for key, value in pairs(more or {}) do
    request[key] = value
  end
  local wire = codec.encode(request, at or provider, which or model)
  return json.decode(wire.body), wire
end

local function assistant(parts, more)
  local message = { role = "assistant", content = parts, style = "openai_chat", provider = "p" }
  for key, value in pairs(more or {}) do
    message[key] = value
  end
  return message
end

local function tool_call(id, arguments, input)
  return { type = "tool_call", id = id, name = "std_read", arguments = arguments, input = input }
end

describe("encoding for openai_chat", function()
  it("puts the system prompt first and streams with usage", function()
    local body, wire = encode({ text("user", "hi") })
    assert.are.same({ role = "system", content = "sys" }, body.messages[1])
    assert.are.same({ role = "user", content = "hi" }, body.messages[2])
    assert.is_true(body.stream)
    assert.is_true(body.stream_options.include_usage)
    assert.are.equal("wire-m", body.model)
    assert.are.equal(100, body.max_tokens)
    assert.is_nil(body.tools)
    assert.is_nil(body.reasoning_effort)
    assert.are.equal("/chat/completions", wire.path)
  end)

  it("names the limit as OpenAI's own host wants it", function()
    local body = encode({}, nil, { name = "o", base_url = "https://api.openai.com/v1" })
    assert.are.equal(100, body.max_completion_tokens)
    assert.is_nil(body.max_tokens)
  end)

  it("maps the effort, the request's before the model's", function()
    local thinker = { model = "t", reasoning = "high" }
    assert.are.equal("high", encode({}, nil, nil, thinker).reasoning_effort)
    assert.are.equal("none", encode({}, { effort = "off" }, nil, thinker).reasoning_effort)
    assert.is_nil(encode({}, { effort = "default" }, nil, thinker).reasoning_effort)
  end)

  it("sends images of a user as data URLs", function()
    local body = encode({
      {
        role = "user",
        content = {
          { type = "text", text = "see" },
          { type = "image", media_type = "image/png", data = "QQ==" },
        },
      },
    })
    local parts = body.messages[2].content
    assert.are.equal("see", parts[1].text)
    assert.are.equal("data:image/png;base64,QQ==", parts[2].image_url.url)
  end)

  it("sends the images of tool results after the last of them", function()
    local image = { type = "image", media_type = "image/png", data = "QQ==" }
    local body = encode({
      assistant({ tool_call("a", "{}", {}), tool_call("b", "{}", {}) }),
      { role = "tool", tool_call_id = "a", tool_name = "std_read", content = { image } },
      { role = "tool", tool_call_id = "b", tool_name = "std_read", content = {} },
      text("user", "next"),
    })
    local roles = {}
    for index, message in ipairs(body.messages) do
      roles[index] = message.role
    end
    assert.are.same({ "system", "assistant", "tool", "tool", "user", "user" }, roles)
    assert.are.equal("[image from std_read]", body.messages[3].content)
    assert.are.equal("(no output)", body.messages[4].content)
    assert.are.equal("image_url", body.messages[5].content[2].type)
  end)

  it("sends arguments as they came, empty ones as {}, broken ones inside of JSON", function()
    local body = encode({
      assistant({
        tool_call("a", '{ "path" : 1.0 }', { path = 1.0 }),
        tool_call("b", "", {}),
        tool_call("c", '{"path":', nil),
        tool_call("d", '{"ok":1}', nil),
      }),
    })
    local sent = {}
    for index, call in ipairs(body.messages[2].tool_calls) do
      sent[index] = call["function"].arguments
    end
    assert.are.same(
      { '{ "path" : 1.0 }', "{}", '{"invalid_json":"{\\"path\\":"}', '{"ok":1}' },
      sent
    )
    assert.are.equal(json.null, body.messages[2].content)
  end)

  it("hands reasoning back only in its field and only to where it came from", function()
    local thought = { type = "thinking", text = "hm", field = "reasoning_content" }
    local answer = { type = "text", text = "yes" }
    local own = encode({ assistant({ thought, answer }) }).messages[2]
    assert.are.equal("hm", own.reasoning_content)
    local other = encode({ assistant({ thought, answer }, { provider = "q" }) }).messages[2]
    assert.is_nil(other.reasoning_content)
    local foreign =
      encode({ assistant({ thought, answer }, { style = "anthropic_messages" }) }).messages[2]
    assert.are.same({ role = "assistant", content = "yes" }, foreign)
  end)

  it("hands thinking parts inside of the content back as such", function()
    local own = encode({
      assistant({
        { type = "thinking", text = "hm", field = "content" },
        { type = "text", text = "yes" },
      }),
    }).messages[2]
    assert.are.equal("hm", own.content[1].thinking[1].text)
    assert.are.equal("yes", own.content[2].text)
  end)

  it("hands reasoning details back whole, instead of their text", function()
    local details = json.array({ { type = "reasoning.encrypted", data = "x" } })
    local parts = {
      { type = "thinking", text = "hm", field = "reasoning" },
      { type = "text", text = "yes" },
      { type = "opaque", style = "openai_chat", value = { reasoning_details = details } },
      { type = "opaque", style = "anthropic_messages", value = { data = "y" } },
    }
    local own = encode({ assistant(parts) }).messages[2]
    assert.are.equal("x", own.reasoning_details[1].data)
    assert.is_nil(own.reasoning)
  end)

  it("leaves out an assistant message of which nothing is left", function()
    local body = encode({
      text("user", "a"),
      assistant({ { type = "thinking", text = "hm" } }),
      text("user", "b"),
    })
    assert.are.equal(3, #body.messages)
  end)

  it("shortens long ids of another provider, alike in call and result", function()
    local long = ("x"):rep(300)
    local body = encode({
      assistant({ tool_call(long, "{}", {}) }, { provider = "q" }),
      { role = "tool", tool_call_id = long, tool_name = "std_read", content = {} },
    })
    local id = body.messages[2].tool_calls[1].id
    assert.is_true(#id <= 40)
    assert.are.equal(id, body.messages[3].tool_call_id)
    local own = encode({ assistant({ tool_call(long, "{}", {}) }) })
    assert.are.equal(long, own.messages[2].tool_calls[1].id)
  end)

  it("sorts the tools by name", function()
    local tools = {
      { name = "std_write", description = "w", schema = { type = "object" } },
      { name = "std_read", description = "r", schema = { type = "object" } },
    }
    local body = encode({}, { tools = tools })
    assert.are.equal("std_read", body.tools[1]["function"].name)
    assert.are.equal("std_write", tools[1].name)
  end)

  it("never changes the bytes of the history", function()
    local history = {
      text("user", "a"),
      assistant({ tool_call("a", '{"z":1,"a":2}', { z = 1, a = 2 }) }),
      {
        role = "tool",
        tool_call_id = "a",
        tool_name = "std_read",
        content = { { type = "text", text = "\xff" } },
      },
    }
    local _, first = encode(history)
    local _, again = encode(history)
    assert.are.equal(first.body, again.body)
    history[4] = assistant({ { type = "text", text = "done" } })
    history[5] = text("user", "more")
    local _, longer = encode(history)
    local prefix = first.body:match('^(.*)%],"model"')
    assert.are.equal(prefix, longer.body:sub(1, #prefix))
  end)

  it("sends the key as a bearer token, and nothing without one", function()
    assert.are.same({ authorization = "Bearer k" }, codec.headers({ token = "k" }))
    assert.are.same({}, codec.headers({ token = "" }))
    assert.are.same({}, codec.headers(nil))
  end)
end)
