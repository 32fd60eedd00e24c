local codec = require("panto.provider.anthropic_messages")
local json = require("panto.base.json")

local provider = { name = "p", style = "anthropic_messages", base_url = "http://127.0.0.1:1" }
local model = { alias = "m", model = "wire-m", max_tokens = 64000 }

local function text(words)
  return { type = "text", text = words }
end

local function user(...)
  return { role = "user", content = { ... } }
end

local function answer(parts, more)
  local message =
    { role = "assistant", content = parts, style = "anthropic_messages", provider = "p" }
  for key, value in pairs(more or {}) do
    message[key] = value
  end
  return message
end

local function call(id, arguments)
  arguments = arguments or "{}"
  local input = json.decode(arguments)
  return { type = "tool_call", id = id, name = "std_read", arguments = arguments, input = input }
end

local function result(id, content, is_error)
  return {
    role = "tool",
    tool_call_id = id,
    tool_name = "std_read",
    content = content,
    is_error = is_error,
  }
end

local function encode(messages, more, which, at)
  local request = { system = "sys", messages = messages }
  for key, value in pairs(more or {}) do
    request[key] = value
  end
  local wire = codec.encode(request, at or provider, which or model)
  return json.decode(wire.body), wire
end

local function with(knobs)
  local made = { alias = "m", model = "wire-m", max_tokens = 64000 }
  for key, value in pairs(knobs) do
    made[key] = value
  end
  return made
end

local SIGNED = { type = "thinking", text = "hm", signature = "sig" }

describe("a messages request", function()
  it("has the system prompt beside the messages, and streams", function()
    local body, wire = encode({ user(text("hi")) })
    assert.are.equal("/v1/messages", wire.path)
    assert.are.equal("2023-06-01", wire.headers["anthropic-version"])
    assert.is_nil(wire.headers["anthropic-beta"])
    assert.are.equal("sys", body.system[1].text)
    assert.are.same({ { role = "user", content = { text("hi") } } }, body.messages)
    assert.are.equal("wire-m", body.model)
    assert.are.equal(64000, body.max_tokens)
    assert.is_true(body.stream)
    assert.is_nil(body.tools)
    assert.is_nil(body.thinking)
    assert.is_nil(encode({ user(text("hi")) }, { system = " " }).system)
  end)

  it("names the version that models.toml gives", function()
    local _, wire = encode({}, nil, with({ api_version = "2030-01-01" }))
    assert.are.equal("2030-01-01", wire.headers["anthropic-version"])
  end)

  it("marks the system prompt and lets the breakpoint of the messages advance by itself", function()
    local body, wire = encode({ user(text("hi")) })
    assert.are.same({ type = "ephemeral" }, body.cache_control)
    assert.are.same({ type = "ephemeral" }, body.system[1].cache_control)
    local _, count = wire.body:gsub("cache_control", "")
    assert.are.equal(2, count)
    local plain = { name = "p", style = "anthropic_messages", prompt_cache = false }
    local _, unmarked = encode({ user(text("hi")) }, nil, nil, plain)
    assert.is_nil(unmarked.body:find("cache_control", 1, true))
  end)

  it("sorts the tools and gives each a schema of an object", function()
    local tools = {
      { name = "std_write", description = "w", schema = { properties = {} } },
      { name = "std_read", description = "r" },
    }
    local body = encode({}, { tools = tools })
    assert.are.equal("std_read", body.tools[1].name)
    assert.are.equal("object", body.tools[1].input_schema.type)
    assert.are.equal("object", body.tools[2].input_schema.type)
    assert.is_nil(tools[1].schema.type)
  end)

  it("sends a key in its own header, a login's token as bearer", function()
    assert.are.same({ ["x-api-key"] = "k" }, codec.headers({ token = "k" }))
    local login = { token = "k", scheme = "bearer" }
    assert.are.same({ authorization = "Bearer k" }, codec.headers(login))
    assert.are.same({}, codec.headers({ token = "" }))
    assert.are.same({}, codec.headers(nil))
  end)
end)

describe("the history of a messages request", function()
  it("answers calls in their order and puts what the user says after them", function()
    local image = { type = "image", media_type = "image/png", data = "QQ==" }
    local body = encode({
      user(text("go")),
      answer({ text("Looking."), call("a"), call("b", '{"path":"x"}') }),
      result("b", { text("second") }, true),
      result("a", { image }),
      user(text("and"), image),
      user(text("more")),
    })
    assert.are.equal(3, #body.messages)
    local blocks = body.messages[3].content
    local kinds = {}
    for index, block in ipairs(blocks) do
      kinds[index] = block.type .. (block.tool_use_id or "")
    end
    assert.are.same({ "tool_resulta", "tool_resultb", "text", "image", "text" }, kinds)
    assert.are.equal("image/png", blocks[1].content[1].source.media_type)
    assert.is_nil(blocks[1].is_error)
    assert.is_true(blocks[2].is_error)
    assert.are.same({ path = "x" }, body.messages[2].content[3].input)
  end)

  it("mends lost results, results without a call and results of nothing", function()
    local body = encode({
      user(text("go")),
      answer({ call("a"), call("b") }),
      result("a", { text(" ") }),
      user(text("next")),
      result("gone", { text("late") }),
    })
    local blocks = body.messages[3].content
    assert.are.equal("(no output)", blocks[1].content[1].text)
    assert.is_true(blocks[2].is_error)
    assert.are.same(text("next"), blocks[3])
    assert.are.same(text("late"), blocks[4])
  end)

  it("leaves out blank texts and messages of which nothing is left", function()
    local body = encode({
      user(text("a")),
      answer({ text(" \n"), { type = "thinking", text = "hm" } }),
      user(text("")),
      user(text("b")),
    })
    assert.are.same({ { role = "user", content = { text("a"), text("b") } } }, body.messages)
  end)

  it("begins with the user and ends without blanks", function()
    local body = encode({ answer({ text("I said \n") }) })
    assert.are.equal("user", body.messages[1].role)
    assert.are.equal("I said", body.messages[2].content[1].text)
  end)

  it("replays thinking, sealed thinking and unknown blocks in their places", function()
    local sealed = { type = "redacted_thinking", data = "xyz" }
    local odd = { type = "server_tool_use", id = "s", name = "n", input = { a = 1, b = json.null } }
    local body = encode({
      user(text("go")),
      answer({
        SIGNED,
        { type = "opaque", style = "anthropic_messages", value = sealed },
        { type = "opaque", style = "anthropic_messages", value = odd },
        text("so"),
        {
          type = "opaque",
          style = "anthropic_messages",
          value = { type = "citations", citations = json.array({ { type = "c" } }) },
        },
        { type = "opaque", style = "openai_chat", value = { type = "no" } },
      }),
      user(text("on")),
    })
    local blocks = body.messages[2].content
    assert.are.same({ type = "thinking", thinking = "hm", signature = "sig" }, blocks[1])
    assert.are.same(sealed, blocks[2])
    assert.are.same(odd, blocks[3])
    assert.are.same("c", blocks[4].citations[1].type)
    assert.are.equal(4, #blocks)
  end)

  it("drops the thinking of others, and thinking without a signature", function()
    local unsigned = { type = "thinking", text = "hm" }
    for _, more in ipairs({ { provider = "q" }, { style = "openai_chat" } }) do
      local body = encode({ user(text("a")), answer({ SIGNED, text("b") }, more), user(text("c")) })
      assert.are.same({ text("b") }, body.messages[2].content)
    end
    local own = encode({ user(text("a")), answer({ unsigned, text("b") }), user(text("c")) })
    assert.are.same({ text("b") }, own.messages[2].content)
  end)

  it("keeps the bytes of arguments, and mends what is no object", function()
    local _, wire = encode({
      user(text("go")),
      answer({
        call("a", '{ "z" : 1.0, "a" : 2 }'),
        call("b", ""),
        call("c", '{"path":'),
        call("d", "[1]"),
      }),
    })
    assert.is_truthy(wire.body:find('"input":{ "z" : 1.0, "a" : 2 }}', 1, true))
    assert.is_truthy(wire.body:find('"input":{}}', 1, true))
    local blocks = json.decode(wire.body).messages[2].content
    assert.are.equal('{"path":', blocks[3].input.invalid_json)
    assert.are.equal("object", type(blocks[4].input) == "table" and "object")
  end)

  it("gives ids that the API takes, alike in call and result, and never one twice", function()
    local body = encode({
      user(text("go")),
      answer({ call("functions.read:0"), call("call_0") }, { provider = "q" }),
      result("functions.read:0", { text("1") }),
      result("call_0", { text("2") }),
      answer({ call("call_0") }, { provider = "q" }),
      result("call_0", { text("3") }),
    })
    local calls, again = body.messages[2].content, body.messages[4].content[1]
    assert.is_nil(calls[1].id:find("[^%w_-]"))
    assert.are.equal(calls[1].id, body.messages[3].content[1].tool_use_id)
    assert.are.equal("call_0", calls[2].id)
    assert.are_not.equal("call_0", again.id)
    assert.are.equal(again.id, body.messages[5].content[1].tool_use_id)
    assert.are.equal("3", body.messages[5].content[1].content[1].text)
  end)

  it("mends the name of a call that no tool could have", function()
    local odd = call("a")
    odd.name = "std.read now"
    local body = encode({ user(text("go")), answer({ odd }) })
    assert.are.equal("std_read_now", body.messages[2].content[1].name)
  end)
end)

describe("thinking in a messages request", function()
  it("is a budget where models.toml enables it, below the limit of the answer", function()
    local enabled = { thinking = "enabled", thinking_budget_tokens = 16000, max_tokens = 20000 }
    local body, wire = encode({}, nil, with(enabled))
    assert.are.same({ type = "enabled", budget_tokens = 16000 }, body.thinking)
    assert.is_nil(wire.headers["anthropic-beta"])
    enabled.max_tokens = 8192
    assert.are.equal(8191, encode({}, nil, with(enabled)).thinking.budget_tokens)
    enabled.max_tokens = 1000
    assert.is_nil(encode({}, nil, with(enabled)).thinking)
  end)

  it("asks for interleaving only with a budget", function()
    local knobs = { thinking = "enabled", thinking_interleaved = true }
    local _, wire = encode({}, nil, with(knobs))
    assert.are.equal("interleaved-thinking-2025-05-14", wire.headers["anthropic-beta"])
    knobs.thinking = "adaptive"
    _, wire = encode({}, nil, with(knobs))
    assert.is_nil(wire.headers["anthropic-beta"])
  end)

  it("is an effort where the model adapts", function()
    local body = encode({}, nil, with({ thinking = "adaptive", effort = "xhigh" }))
    assert.are.same({ type = "adaptive" }, body.thinking)
    assert.are.same({ effort = "xhigh" }, body.output_config)
    body = encode({}, nil, with({ thinking = "disabled", effort = "xhigh" }))
    assert.is_nil(body.thinking)
    assert.is_nil(body.output_config)
  end)

  it("follows the effort that was picked, whatever models.toml says", function()
    local adaptive, budget = with({ thinking = "adaptive" }), with({ thinking = "enabled" })
    assert.are.equal("disabled", encode({}, { effort = "off" }, adaptive).thinking.type)
    assert.are.equal("low", encode({}, { effort = "minimal" }, adaptive).output_config.effort)
    assert.are.equal("high", encode({}, { effort = "high" }, adaptive).output_config.effort)
    assert.are.equal(1024, encode({}, { effort = "minimal" }, budget).thinking.budget_tokens)
    assert.are.equal(32000, encode({}, { effort = "high" }, budget).thinking.budget_tokens)
    assert.are.equal(32000, encode({}, { effort = "default" }, budget).thinking.budget_tokens)
  end)

  it("guesses from the name what a model without an entry knows", function()
    local kinds = {}
    for index, name in ipairs({
      "claude-opus-4-8",
      "claude-sonnet-4-20250514",
      "claude-haiku-4-5-20251001",
      "claude-opus-5",
      "anthropic/claude-sonnet-4.6",
      "claude-3-7-sonnet-20250219",
      "other",
    }) do
      kinds[index] = encode({}, { effort = "low" }, with({ model = name })).thinking.type
    end
    local expected = "adaptive enabled enabled adaptive adaptive enabled enabled"
    assert.are.equal(expected, table.concat(kinds, " "))
  end)

  it("with a budget waits until calls that began without it are answered", function()
    local enabled = with({ thinking = "enabled" })
    local history = { user(text("go")), answer({ call("a") }), result("a", { text("1") }) }
    assert.is_nil(encode(history, nil, enabled).thinking)
    history[4] = answer({ text("done") })
    history[5] = user(text("on"))
    assert.is_truthy(encode(history, nil, enabled).thinking)
    history[2].content = { SIGNED, call("a") }
    history[4] = answer({ call("b") })
    history[5] = result("b", { text("2") })
    assert.is_truthy(encode(history, nil, enabled).thinking)
  end)
end)
