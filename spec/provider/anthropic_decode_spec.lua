local codec = require("panto.provider.anthropic_messages")
local json = require("panto.base.json")
local message = require("panto.agent.message")

local function decode(events, whole)
  local decoder = codec.decoder()
  local fold, items = message.new({ style = "anthropic_messages", provider = "p" }), {}
  local function take(list)
    for _, item in ipairs(list) do
      items[#items + 1] = item
      fold:add(item)
    end
  end
  if whole then
    take(decoder:whole(whole))
  else
    for _, event in ipairs(events) do
      local data = type(event) == "string" and event or json.encode(event)
      take(
        decoder:feed({ event = type(event) == "table" and event.type or "message", data = data })
      )
    end
    take(decoder:finish())
  end
  local said, err = fold:message()
  return said, err, items
end

local function start(id, usage)
  return { type = "message_start", message = { id = id or "m1", usage = usage or {} } }
end

local function block(index, value)
  return { type = "content_block_start", index = index, content_block = value }
end

local function delta(index, value)
  return { type = "content_block_delta", index = index, delta = value }
end

local function close(index)
  return { type = "content_block_stop", index = index }
end

local function stop(reason, usage)
  return { type = "message_delta", delta = { stop_reason = reason }, usage = usage }
end

local END = { type = "message_stop" }

local function text(index, words)
  return delta(index, { type = "text_delta", text = words })
end

local function input(index, piece)
  return delta(index, { type = "input_json_delta", partial_json = piece })
end

local function tool(index, id, more)
  local value = { type = "tool_use", id = id, name = "look" }
  for key, field in pairs(more or {}) do
    value[key] = field
  end
  return block(index, value)
end

local function calls(said)
  local out = {}
  for _, part in ipairs(said.content) do
    if part.type == "tool_call" then
      out[#out + 1] = part.id .. part.arguments
    end
  end
  return out
end

describe("a messages stream", function()
  it("gives text, a call and the usage of both ends", function()
    local said, err = decode({
      start("m1", { input_tokens = 5, cache_read_input_tokens = 7, output_tokens = 1 }),
      { type = "ping" },
      block(0, { type = "text", text = "" }),
      text(0, "Hel"),
      text(0, "lo"),
      close(0),
      tool(1, "a", { input = {} }),
      input(1, ""),
      input(1, '{"at":'),
      input(1, "1}"),
      close(1),
      stop("tool_use", { output_tokens = 9, cache_creation_input_tokens = 3 }),
      END,
    })
    assert.is_nil(err)
    assert.are.equal("Hello", said.content[1].text)
    assert.are.same({ at = 1 }, said.content[2].input)
    assert.are.equal("tool_use", said.stop_reason)
    assert.are.same({ input = 5, output = 9, cache_read = 7, cache_write = 3 }, said.usage)
  end)

  it("keeps the blocks of thinking, text and citations apart", function()
    local said = decode({
      start(),
      block(0, { type = "thinking", thinking = "", signature = "" }),
      delta(0, { type = "thinking_delta", thinking = "hm" }),
      delta(0, { type = "signature_delta", signature = "s1" }),
      close(0),
      block(1, { type = "thinking", thinking = "", signature = "" }),
      delta(1, { type = "signature_delta", signature = "s2" }),
      close(1),
      block(2, { type = "text", text = "one" }),
      close(2),
      block(3, { type = "text", text = "" }),
      text(3, "two"),
      delta(3, { type = "citations_delta", citation = { cited_text = "t" } }),
      close(3),
      stop("end_turn"),
      END,
    })
    local got = {}
    for index, part in ipairs(said.content) do
      got[index] = part.type .. ":" .. (part.text or part.value.citations[1].cited_text)
    end
    assert.are.equal("thinking:hm thinking: text:one text:two opaque:t", table.concat(got, " "))
    assert.are.equal("s1", said.content[1].signature)
    assert.are.equal("s2", said.content[2].signature)
  end)

  it("keeps blocks that nobody knows, with their deltas", function()
    local said = decode({
      start(),
      block(0, { type = "redacted_thinking", data = "xyz" }),
      close(0),
      block(1, { type = "server_tool_use", id = "s", name = "n", input = {} }),
      input(1, '{"q":'),
      input(1, '"x"}'),
      close(1),
      block(2, { type = "compaction", content = json.null }),
      delta(2, { type = "compaction_delta", content = "sum" }),
      delta(2, { type = "compaction_delta", content = "mary" }),
      close(2),
      stop("end_turn"),
      END,
    })
    assert.are.same({ type = "redacted_thinking", data = "xyz" }, said.content[1].value)
    assert.are.same({ q = "x" }, said.content[2].value.input)
    assert.are.equal("summary", said.content[3].value.content)
  end)

  it("takes an input that comes with the start, or not at all", function()
    local said = decode({
      start(),
      tool(0, "a", { input = { at = 1 } }),
      close(0),
      tool(1, "b"),
      close(1),
      tool(2, "c", { input = '{"at":2}' }),
      close(2),
      stop("tool_use"),
      END,
    })
    assert.are.same({ 'a{"at":1}', "b", 'c{"at":2}' }, calls(said))
  end)

  it("drops the half of a message into which another is spliced", function()
    local said, err, items = decode({
      start("m1"),
      block(0, { type = "text", text = "half" }),
      tool(1, "a"),
      input(1, '{"at'),
      start("m2"),
      tool(0, "b"),
      input(0, "{}"),
      close(0),
      stop("tool_use"),
      END,
    })
    assert.is_nil(err)
    assert.are.same({ "b{}" }, calls(said))
    assert.are.equal(1, #said.content)
    local restarts = 0
    for _, item in ipairs(items) do
      restarts = restarts + (item.type == "restart" and 1 or 0)
    end
    assert.are.equal(1, restarts)
  end)

  it("takes a start that is said twice once", function()
    local said, _, items = decode({
      start("m1"),
      block(0, { type = "text", text = "a" }),
      start("m1"),
      text(0, "b"),
      close(0),
      stop("end_turn"),
      END,
    })
    assert.are.equal("ab", said.content[1].text)
    assert.are.equal("text_delta", items[1].type)
  end)

  it("names every way to end", function()
    for raw, reason in pairs({
      end_turn = "stop",
      max_tokens = "length",
      stop_sequence = "stop_sequence",
      refusal = "refusal",
      pause_turn = "pause",
      model_context_window_exceeded = "length",
      tool_use = "stop",
      novelty = "novelty",
    }) do
      local said, _, items = decode({ start(), block(0, { type = "text", text = "x" }), stop(raw) })
      assert.are.equal(reason, said.stop_reason)
      assert.are.equal(raw, items[#items].raw)
    end
  end)

  it("runs no call that was cut by the limit, and none after a refusal", function()
    local half = { tool(0, "a"), input(0, "{}"), close(0), tool(1, "b"), input(1, '{"x'), close(1) }
    for reason, expected in pairs({ max_tokens = { "a{}" }, refusal = {} }) do
      local events = table.move(half, 1, #half, 1, {})
      events[#events + 1] = stop(reason)
      assert.are.same(expected, calls(decode(events)))
    end
  end)

  it("is cut when it ends without a stop reason", function()
    local events = { start(), tool(0, "a"), input(0, "{}"), close(0) }
    local said, err, items = decode(events)
    assert.are.equal("cut", err.kind)
    assert.are.same({}, calls(said))
    for _, item in ipairs(items) do
      assert.are_not.equal("tool_call_end", item.type)
    end
  end)

  it("fails with the words of an error in its middle, of either shape", function()
    local overloaded = { type = "overloaded_error", message = "Overloaded" }
    local _, err = decode({ start(), text(0, "a"), { type = "error", error = overloaded } })
    assert.are.same({ kind = "overloaded", message = "Overloaded" }, err)
    local size = { code = 400, type = "exceed_context_size_error", message = "too long" }
    _, err = decode({ json.encode({ error = size }) })
    assert.are.equal("overflow", err.kind)
    _, err = decode({ start(), "no json" })
    assert.are.equal("invalid", err.kind)
  end)

  it("knows a full window and an empty purse by what this API says of them", function()
    for words, kind in pairs({
      ["prompt is too long: 9 tokens > 8 maximum"] = "overflow",
      ["input length and `max_tokens` exceed context limit: 7 + 2 > 8"] = "overflow",
      ["Your credit balance is too low to access the Anthropic API"] = "quota",
      ["You have reached your specified API usage limits."] = "quota",
      ["messages.3: odd"] = "bad_request",
    }) do
      local error = { type = "invalid_request_error", message = words }
      local _, err = decode({ { type = "error", error = error } })
      assert.are.equal(kind, err.kind)
    end
    for name, kind in pairs({ billing_error = "quota", request_too_large = "overflow" }) do
      local _, err = decode({ { type = "error", error = { type = name, message = "no" } } })
      assert.are.equal(kind, err.kind)
    end
  end)

  it("is unreadable when it is of another style", function()
    local _, err = decode({ { object = "chat.completion.chunk", choices = {} }, "[DONE]" })
    assert.are.equal("invalid", err.kind)
  end)

  it("survives deltas without a start and blocks without an index", function()
    local said = decode({
      delta(nil, { type = "text_delta", text = "a" }),
      close(nil),
      input(4, "{}"),
      stop("end_turn"),
    })
    assert.are.equal("a", said.content[1].text)
    assert.are.equal(1, #said.content)
  end)
end)

describe("a messages answer in one piece", function()
  it("is read like a stream", function()
    local said, err = decode(
      nil,
      json.encode({
        type = "message",
        content = {
          { type = "thinking", thinking = "hm", signature = "s" },
          { type = "text", text = "Hello" },
          { type = "tool_use", id = "a", name = "look", input = { at = 1 } },
        },
        stop_reason = "tool_use",
        usage = { input_tokens = 1, output_tokens = 2 },
      })
    )
    assert.is_nil(err)
    assert.are.equal("s", said.content[1].signature)
    assert.are.equal("Hello", said.content[2].text)
    assert.are.same({ 'a{"at":1}' }, calls(said))
    assert.are.equal(2, said.usage.output)
  end)

  it("may be an error, a foreign object or no JSON", function()
    local error = { type = "rate_limit_error", message = "slow" }
    local _, err = decode(nil, json.encode({ type = "error", error = error }))
    assert.are.same({ kind = "rate_limit", message = "slow" }, err)
    _, err = decode(nil, json.encode({ choices = {} }))
    assert.are.equal("invalid", err.kind)
    _, err = decode(nil, "<html>Bad gateway</html>")
    assert.are.equal("invalid", err.kind)
  end)
end)
