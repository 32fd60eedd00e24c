local codec = require("panto.provider.openai_chat")
local json = require("panto.base.json")
local sse = require("panto.base.sse")

-- Decodes a body and sums up what came: text, thinking, calls, and the single items by type.
local function decode(body)
  local parser, decoder = sse.new(), codec.decoder()
  local items = {}
  local function take(list)
    for _, item in ipairs(list) do
      items[#items + 1] = item
    end
  end
  for _, event in ipairs(parser:feed(body)) do
    take(decoder:feed(event))
  end
  for _, event in ipairs(parser:finish()) do
    event.is_tail = true
    take(decoder:feed(event))
  end
  take(decoder:finish())
  return items
end

local function sum(items)
  local out = { text = "", thinking = "", calls = {}, ended = 0 }
  for _, item in ipairs(items) do
    if item.type == "text_delta" then
      out.text = out.text .. item.delta
    elseif item.type == "thinking_delta" then
      out.thinking = out.thinking .. item.delta
      out.field = item.field
    elseif item.type == "tool_call_start" then
      out.calls[item.index] = { item.id, item.name, "" }
    elseif item.type == "tool_call_delta" then
      out.calls[item.index][3] = out.calls[item.index][3] .. item.delta
    elseif item.type == "tool_call_end" then
      out.ended = out.ended + 1
    else
      out[item.type] = item
    end
  end
  return out
end

local function lines(...)
  local out = {}
  for _, data in ipairs({ ... }) do
    out[#out + 1] = "data: " .. (type(data) == "table" and json.encode(data) or data) .. "\n\n"
  end
  return sum(decode(table.concat(out)))
end

local function delta(value, finish)
  return { choices = { { index = 0, delta = value, finish_reason = finish or json.null } } }
end

local function piece(value)
  return delta({ tool_calls = json.array({ value }) })
end

local function finish(reason)
  return delta({}, reason)
end

describe("decoding openai_chat", function()
  it("reads text, finish and usage, and takes the last usage that says something", function()
    local got = lines(
      delta({ role = "assistant", content = json.null }),
      delta({ content = "Hel" }),
      delta({ content = "lo" }, "stop"),
      {
        choices = json.array({}),
        usage = {
          prompt_tokens = 10,
          completion_tokens = 2,
          prompt_tokens_details = { cached_tokens = 4 },
        },
      },
      { choices = json.array({}), usage = json.null },
      "[DONE]"
    )
    assert.are.equal("Hello", got.text)
    assert.are.same({ type = "stop", reason = "stop", raw = "stop" }, got.stop)
    assert.are.same({ input = 6, output = 2, cache_read = 4, cache_write = 0 }, got.usage.usage)
  end)

  it("reads other names of cached tokens, and never more than the prompt has", function()
    local function usage(value)
      return lines(delta({ content = "x" }, "stop"), { choices = {}, usage = value }).usage.usage
    end
    local cached = usage({ prompt_tokens = 10, completion_tokens = 2, prompt_cache_hit_tokens = 7 })
    assert.are.equal(3, cached.input)
    assert.are.equal(7, cached.cache_read)
    local odd = usage({
      prompt_tokens = 10,
      completion_tokens = 2,
      prompt_tokens_details = { cached_tokens = 99 },
    })
    assert.are.equal(0, odd.input)
    assert.are.equal(10, odd.cache_read)
    local thought = usage({
      prompt_tokens = 1,
      completion_tokens = 9,
      completion_tokens_details = { reasoning_tokens = 8 },
    })
    assert.are.equal(8, thought.reasoning)
  end)

  it("tolerates comments, CRLF, blanks, unknown fields and no [DONE]", function()
    local body = ": OPENROUTER PROCESSING\r\n\r\ndata:"
      .. json.encode(delta({ content = "a" }))
      .. '\r\n\r\nerror: {"message":"x"}\r\n\r\ndata: '
      .. json.encode(finish("stop"))
    local got = sum(decode(body))
    assert.are.equal("a", got.text)
    assert.are.equal("stop", got.stop.reason)
    assert.is_nil(got.error)
  end)

  it("joins a call whose index, id and name come only once", function()
    local got = lines(
      piece({
        index = 0,
        id = "a",
        type = "function",
        ["function"] = { name = "f", arguments = "" },
      }),
      piece({ index = 0, id = "", ["function"] = { name = "", arguments = '{"x"' } }),
      piece({
        index = 0,
        id = json.null,
        type = json.null,
        ["function"] = { name = json.null, arguments = json.null },
      }),
      piece({ index = 0, ["function"] = { arguments = ":1}" } }),
      finish("tool_calls"),
      "[DONE] "
    )
    assert.are.same({ { "a", "f", '{"x":1}' } }, got.calls)
    assert.are.equal(1, got.ended)
    assert.are.equal("tool_use", got.stop.reason)
  end)

  it("tells calls without index apart by their ids, and goes on with the last", function()
    local got = lines(
      piece({ id = "a", ["function"] = { name = "f", arguments = '{"x":' } }),
      piece({ ["function"] = { arguments = "1}" } }),
      piece({ id = "b", ["function"] = { name = "g", arguments = "{}" } }),
      finish("tool_calls")
    )
    assert.are.same({ { "a", "f", '{"x":1}' }, { "b", "g", "{}" } }, got.calls)
  end)

  it("takes an index that comes late", function()
    local got = lines(
      piece({ id = "a", ["function"] = { name = "f", arguments = "{" } }),
      piece({ index = 3, ["function"] = { arguments = "}" } }),
      finish("tool_calls")
    )
    assert.are.same({ { "a", "f", "{}" } }, got.calls)
  end)

  it("tells parallel calls apart that all have index 0", function()
    local got = lines(
      piece({ index = 0, id = "a", ["function"] = { name = "f", arguments = '{"x":1}' } }),
      piece({ index = 0, id = "b", ["function"] = { name = "f", arguments = '{"x":2}' } }),
      finish("stop")
    )
    assert.are.same({ { "a", "f", '{"x":1}' }, { "b", "f", '{"x":2}' } }, got.calls)
    assert.are.equal("tool_use", got.stop.reason)
    local nameless = lines(
      piece({ index = 0, id = "", ["function"] = { name = "f", arguments = '{"x":1}' } }),
      piece({ index = 0, id = "", ["function"] = { name = "f", arguments = '{"x":2}' } }),
      finish("stop")
    )
    assert.are.equal(2, #nameless.calls)
  end)

  it("joins interleaved parallel calls by index", function()
    local got = lines(
      piece({ index = 0, id = "a", ["function"] = { name = "f", arguments = "" } }),
      piece({ index = 1, id = "b", ["function"] = { name = "g", arguments = "" } }),
      piece({ index = 0, ["function"] = { arguments = '{"n":0}' } }),
      piece({ index = 1, ["function"] = { arguments = '{"n":1}' } }),
      finish("tool_calls")
    )
    assert.are.same({ { "a", "f", '{"n":0}' }, { "b", "g", '{"n":1}' } }, got.calls)
  end)

  it("makes an id where the server gave none, and reads arguments of any type", function()
    local got = lines(
      {
        id = "chatcmpl-77",
        choices = {
          {
            index = 0,
            delta = {
              tool_calls = {
                { index = 0, id = "", ["function"] = { name = "f", arguments = { b = 1, a = 2 } } },
              },
            },
          },
        },
      },
      piece({ index = 1, id = "z", ["function"] = { name = "g", arguments = json.null } }),
      piece({ index = 2, ["function"] = { name = "h", arguments = "" } }),
      finish("tool_calls")
    )
    assert.are.same({ "call_chatcmpl77_1", "f", '{"a":2,"b":1}' }, got.calls[1])
    assert.are.same({ "z", "g", "" }, got.calls[2])
    assert.are.same({ "call_chatcmpl77_3", "h", "" }, got.calls[3])
    assert.are.equal(3, got.ended)
  end)

  it("shows reasoning as thinking, whatever its field, and only once", function()
    assert.are.equal("hm", lines(delta({ reasoning_content = "hm" }), finish("stop")).thinking)
    assert.are.equal("reasoning", lines(delta({ reasoning = "hm" }), finish("stop")).field)
    local both = lines(delta({ reasoning = "hm", reasoning_content = "hm" }), finish("stop"))
    assert.are.equal("hm", both.thinking)
    local detail = { type = "reasoning.text", text = "hm", index = 0 }
    local got = lines(delta({ reasoning_details = json.array({ detail }) }), finish("stop"))
    assert.are.equal("hm", got.thinking)
    local list = lines(
      delta({
        content = {
          { type = "thinking", thinking = { { type = "text", text = "hm" } } },
          { type = "text", text = "so" },
        },
      }),
      finish("stop")
    )
    assert.are.equal("hm", list.thinking)
    assert.are.equal("so", list.text)
  end)

  it("keeps reasoning details for the way back, joined", function()
    local got = lines(
      delta({
        reasoning = "a",
        reasoning_details = json.array({ { type = "reasoning.text", text = "a", index = 0 } }),
      }),
      delta({
        reasoning = "b",
        reasoning_details = json.array({ { type = "reasoning.text", text = "b", index = 0 } }),
      }),
      delta({
        reasoning_details = json.array({ { type = "reasoning.text", signature = "s", index = 0 } }),
      }),
      delta({
        reasoning_details = json.array({ { type = "reasoning.encrypted", data = "x", index = 1 } }),
      }),
      finish("stop")
    )
    local kept = got.opaque.value.reasoning_details
    assert.are.same({ type = "reasoning.text", text = "ab", signature = "s", index = 0 }, kept[1])
    assert.are.same({ type = "reasoning.encrypted", data = "x", index = 1 }, kept[2])
  end)

  it("ends with the message of an error object, and no call is ended", function()
    local call = piece({ index = 0, id = "a", ["function"] = { name = "f", arguments = "{}" } })
    local got = lines(call, { error = { message = "boom", type = "server_error" } })
    assert.are.same({ type = "error", kind = "server", message = "boom" }, got.error)
    assert.are.equal(0, got.ended)
    local beside = lines(delta({ content = "x" }, "length"), {
      error = { code = 400, message = "Token limit reached" },
      choices = { { index = 0, delta = { content = "" } } },
    }, "[DONE]")
    assert.are.equal("Token limit reached", beside.error.message)
    assert.is_nil(beside.stop)
    assert.are.equal("x", lines({ error = "x" }).error.message)
    local named = sum(decode('event: error\ndata: {"message":"late"}\n\n'))
    assert.are.equal("late", named.error.message)
  end)

  it("says cut when no finish came, and invalid when a line is no JSON", function()
    local call = piece({ index = 0, id = "a", ["function"] = { name = "f", arguments = "{}" } })
    assert.are.equal("cut", lines(call).error.kind)
    assert.are.equal("cut", lines(call, "[DONE]").error.kind)
    assert.are.equal("cut", lines("[DONE]").error.kind)
    assert.are.equal("stop", lines(delta({ content = "x" }), "[DONE]").stop.reason)
    local got = lines(call, "{oops", finish("tool_calls"))
    assert.are.equal("invalid", got.error.kind)
    assert.are.equal(0, got.ended)
    local cut = sum(decode("data: " .. json.encode(call) .. '\n\ndata: {"choices":[{"del'))
    assert.are.equal("cut", cut.error.kind)
  end)

  it("names the other ends", function()
    assert.are.equal("length", lines(delta({ content = "x" }, "length")).stop.reason)
    assert.are.equal("content_filter", lines(finish("content_filter")).stop.reason)
    assert.are.equal("refusal", lines(delta({ refusal = "no" }), finish("stop")).stop.reason)
    assert.are.equal("odd", lines(finish("odd")).stop.reason)
    assert.are.equal("overloaded", lines(finish("insufficient_system_resource")).error.kind)
  end)

  it("does not end a call that the limit cut", function()
    local got = lines(
      piece({ index = 0, id = "a", ["function"] = { name = "f", arguments = '{"x":1}' } }),
      piece({ index = 1, id = "b", ["function"] = { name = "f", arguments = '{"x":' } }),
      finish("length")
    )
    assert.are.equal(1, got.ended)
    assert.are.equal("length", got.stop.reason)
  end)

  it("skips legacy completions, other choices, missing deltas and strange events", function()
    local got = lines(
      { object = "text_completion", choices = { { index = 0, text = "old" } } },
      { choices = { { index = 1, delta = { content = "second" } } } },
      { choices = { { index = 0, delta = json.null } } },
      { choices = json.array({}), prompt_filter_results = {} },
      { type = "ping" },
      delta({ content = "ok", tool_calls = json.null }, "stop")
    )
    assert.are.equal("ok", got.text)
    assert.is_nil(got.error)
  end)

  it("reads a whole answer that is no stream", function()
    local answer = json.encode({
      id = "c1",
      choices = {
        {
          index = 0,
          message = {
            content = "hi",
            tool_calls = { { id = "a", ["function"] = { name = "f", arguments = "{}" } } },
          },
          finish_reason = "tool_calls",
        },
      },
      usage = { prompt_tokens = 1, completion_tokens = 1 },
    })
    local got = sum(codec.decoder():whole(answer))
    assert.are.equal("hi", got.text)
    assert.are.same({ { "a", "f", "{}" } }, got.calls)
    assert.are.equal(1, got.ended)
    assert.are.equal(1, got.usage.usage.output)
    assert.are.equal("no", sum(codec.decoder():whole('{"error":{"message":"no"}}')).error.message)
    assert.are.equal("no", sum(codec.decoder():whole('[{"error":{"message":"no"}}]')).error.message)
    assert.are.equal("invalid", sum(codec.decoder():whole("<html><b>Bad Gateway</b>")).error.kind)
    assert.are.equal("invalid", sum(codec.decoder():whole('{"a":1}')).error.kind)
  end)
end)
