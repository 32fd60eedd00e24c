local codec = require("panto.provider.openai_responses")
local json = require("panto.base.json")
local message = require("panto.agent.message")
local sse = require("panto.base.sse")

-- Decodes a body into its items and the message they make.
local function decode(body)
  local parser, decoder = sse.new(), codec.decoder()
  local fold, items = message.new({ style = "openai_responses" }), {}
  local function take(list)
    for _, item in ipairs(list) do
      items[#items + 1] = item
      fold:add(item)
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
  local made, err = fold:message()
  return made, err, items
end

local function stream(...)
  local lines = {}
  for index, event in ipairs({ ... }) do
    lines[index] = "data: " .. (type(event) == "table" and json.encode(event) or event) .. "\n\n"
  end
  return decode(table.concat(lines))
end

local function event(name, fields)
  fields.type = "response." .. name
  return fields
end

local function completed(fields)
  fields = fields or {}
  fields.status = fields.status or "completed"
  return event("completed", { response = fields })
end

local function added(item, index)
  return event("output_item.added", { item = item, output_index = index })
end

local function done(item, index)
  return event("output_item.done", { item = item, output_index = index })
end

local function text(delta, index, id)
  return event("output_text.delta", { delta = delta, output_index = index, item_id = id })
end

local function arguments(delta, index, id)
  return event("function_call_arguments.delta", {
    delta = delta,
    output_index = index,
    item_id = id,
  })
end

local function call(id, more)
  local item = { type = "function_call", id = "fc_" .. id, call_id = id, name = "look" }
  item.arguments = more or ""
  return item
end

local function output_message(words)
  return {
    type = "message",
    id = "msg_1",
    content = json.array({ { type = "output_text", text = words } }),
  }
end

local function calls_of(made)
  local out = {}
  for _, part in ipairs(made.content) do
    if part.type == "tool_call" then
      out[#out + 1] = { part.id, part.name, part.arguments }
    end
  end
  return out
end

local function kinds_of(made)
  local out = {}
  for index, part in ipairs(made.content) do
    out[index] = part.type
  end
  return table.concat(out, " ")
end

describe("decoding openai_responses", function()
  it("reads text and usage, cached tokens apart", function()
    local made, err = stream(
      text("Hel", 0, "msg_1"),
      text("lo", 0, "msg_1"),
      completed({
        usage = {
          input_tokens = 10,
          output_tokens = 2,
          input_tokens_details = { cached_tokens = 4 },
          output_tokens_details = { reasoning_tokens = 1 },
        },
      })
    )
    assert.is_nil(err)
    assert.are.equal("Hello", made.content[1].text)
    assert.are.equal("stop", made.stop_reason)
    assert.are.same(
      { input = 6, output = 2, cache_read = 4, cache_write = 0, reasoning = 1 },
      made.usage
    )
  end)

  it("takes the event's name where the data has no type", function()
    local made = decode('event: response.output_text.delta\ndata: {"delta":"a"}\n\n' .. [[
event: response.completed
data: {"response":{"status":"completed"}}

]])
    assert.are.equal("a", made.content[1].text)
  end)

  it("joins by place when the id changes with every event", function()
    local made = stream(
      added(call("a"), 0),
      added(call("b"), 1),
      arguments('{"x":', 0, "id1"),
      arguments('{"y":', 1, "id2"),
      arguments("1}", 0, "id3"),
      arguments("2}", 1, "id4"),
      completed()
    )
    assert.are.same({ { "a", "look", '{"x":1}' }, { "b", "look", '{"y":2}' } }, calls_of(made))
    assert.are.equal("tool_use", made.stop_reason)
  end)

  it("joins by id when there are no places, and by order when there is neither", function()
    local made = stream(
      added(call("a")),
      added(call("b")),
      arguments("{}", nil, "fc_b"),
      arguments('{"x":1}', nil, "fc_a"),
      completed()
    )
    assert.are.same({ { "a", "look", '{"x":1}' }, { "b", "look", "{}" } }, calls_of(made))
    made = stream(
      added(call("a")),
      arguments('{"x":1}'),
      done(call("a", '{"x":1}')),
      added(call("b")),
      arguments("{}"),
      completed()
    )
    assert.are.same({ { "a", "look", '{"x":1}' }, { "b", "look", "{}" } }, calls_of(made))
  end)

  it("joins to an announcement that has only a call id", function()
    local item = { type = "function_call", call_id = "fc_a", name = "look", arguments = "" }
    local whole = { type = "function_call", id = "fc_a", call_id = "fc_a", name = "look" }
    whole.arguments = '{"x":1}'
    local made = stream(added(item), arguments('{"x":1}', nil, "fc_a"), done(whole), completed())
    assert.are.same({ { "fc_a", "look", '{"x":1}' } }, calls_of(made))
  end)

  it("takes arguments from whichever event has them, once", function()
    local whole = event("function_call_arguments.done", { arguments = "{}", output_index = 0 })
    local object = call("a")
    object.arguments = { x = 1 }
    for _, events in ipairs({
      { added(call("a"), 0), whole, done(call("a", "{}"), 0) },
      { added(call("a"), 0), done(call("a", "{}"), 0) },
      { done(call("a", "{}"), 0) },
      { added(call("a", "{}"), 0) },
      { added(call("a"), 0), arguments("{}", 0) },
      { added(call("a"), 0), arguments("{", 0), done(call("a", "{}"), 0) },
    }) do
      events[#events + 1] = completed({ output = json.array({ call("a", "{}") }) })
      assert.are.same({ { "a", "look", "{}" } }, calls_of((stream(table.unpack(events)))))
    end
    local made = stream(done(object, 0), completed())
    assert.are.same({ { "a", "look", '{"x":1}' } }, calls_of(made))
  end)

  it("takes what is found only in the last event", function()
    local output = json.array({
      { type = "reasoning", id = "rs_1", summary = { { type = "summary_text", text = "hm" } } },
      output_message("whole"),
      call("a", "{}"),
    })
    local made = stream(completed({ output = output }))
    assert.are.equal("thinking opaque text tool_call", kinds_of(made))
    made = stream(text("who", 0, "other"), completed({ output = output }))
    assert.are.equal("whole", made.content[1].text)
  end)

  it("puts an empty line between two messages in a row", function()
    local made = stream(
      added({ type = "message", phase = "commentary" }, 0),
      text("one", 0),
      done(output_message("one"), 0),
      added({ type = "message", phase = "final_answer" }, 1),
      text("two", 1),
      completed()
    )
    assert.are.equal("one\n\n", made.content[1].text)
    assert.are.equal("commentary", made.content[1].field)
    assert.are.equal("two", made.content[2].text)
    assert.are.equal("final_answer", made.content[2].field)
  end)

  it("shows summaries as paragraphs and keeps the item for the way back", function()
    local item = { type = "reasoning", id = "rs_1", encrypted_content = "sealed" }
    local function summary(delta, part)
      return event("reasoning_summary_text.delta", {
        delta = delta,
        output_index = 0,
        summary_index = part,
      })
    end
    local made = stream(
      added({ type = "reasoning", id = "rs_0" }, 0),
      summary("a", 0),
      summary("b", 0),
      summary("c", 1),
      done(item, 0),
      text("yes", 1),
      completed()
    )
    assert.are.equal("ab\n\nc", made.content[1].text)
    assert.are.same(item, made.content[2].value)
    assert.are.equal("yes", made.content[3].text)
  end)

  it("shows reasoning that comes as summary and as text once", function()
    local made = stream(
      event("reasoning_text.delta", { delta = "raw", output_index = 0 }),
      event("reasoning_summary_text.delta", { delta = "short", output_index = 0 }),
      text("yes", 1),
      completed()
    )
    assert.are.equal("raw", made.content[1].text)
    assert.are.equal("thinking opaque text", kinds_of(made))
  end)

  it("keeps reasoning before the text when every item ends at the very end", function()
    local item = { type = "reasoning", id = "rs_1", encrypted_content = "" }
    item.summary = json.array({})
    item.content = json.array({ { type = "reasoning_text", text = "hm" } })
    local made = stream(
      added({ type = "reasoning", id = "rs_1", encrypted_content = "" }),
      event("reasoning_text.delta", { delta = "hm", item_id = "rs_1" }),
      added({ type = "message", id = "msg_1" }),
      text("yes", nil, "msg_1"),
      done(item),
      done(output_message("yes")),
      completed()
    )
    assert.are.equal("thinking opaque text", kinds_of(made))
    assert.are.equal("hm", made.content[2].value.content[1].text)
  end)

  it("keeps items of unknown types", function()
    local search = { type = "web_search_call", id = "ws_1", action = { query = "x" } }
    local made = stream(added({ type = "web_search_call" }, 0), done(search, 0), completed())
    assert.are.same(search, made.content[1].value)
    assert.are.equal("stop", made.stop_reason)
  end)

  it("takes a refusal as text and as the reason to stop", function()
    local made = stream(event("refusal.delta", { delta = "No." }), completed())
    assert.are.equal("No.", made.content[1].text)
    assert.are.equal("refusal", made.stop_reason)
  end)

  it("ends an incomplete answer without its half call", function()
    local made, err = stream(
      added(call("a"), 0),
      done(call("a", "{}"), 0),
      added(call("b"), 1),
      arguments('{"x":', 1),
      event("incomplete", {
        response = {
          status = "incomplete",
          incomplete_details = { reason = "max_output_tokens" },
        },
      })
    )
    assert.is_nil(err)
    assert.are.equal("length", made.stop_reason)
    assert.are.same({ { "a", "look", "{}" } }, calls_of(made))
  end)

  it("tells one error when the server says it twice", function()
    local failure = { code = "rate_limit_exceeded", message = "slow down" }
    local _, err, items = stream(
      { type = "error", error = failure },
      event("failed", { response = { status = "failed", error = failure } })
    )
    assert.are.same({ kind = "rate_limit", message = "slow down" }, err)
    assert.are.equal(1, #items)
  end)

  it("reads errors of any form", function()
    local failed = { response = { status = "failed", error = { message = "broke" } } }
    for _, last in ipairs({
      event("failed", failed),
      { type = "error", code = "server_error", message = "broke" },
      { error = { message = "broke" } },
      { error = "broke" },
      { detail = "broke" },
    }) do
      local made, err = stream(added(call("a"), 0), arguments("{}", 0), last)
      assert.are.equal("broke", err.message)
      assert.are.same({}, calls_of(made))
    end
    local _, err = stream(event("failed", { response = { status = "failed" } }))
    assert.are.equal("server", err.kind)
  end)

  it("runs nothing of a cut stream or behind broken JSON", function()
    local made, err = stream(added(call("a"), 0), arguments("{}", 0), "[DONE]")
    assert.are.equal("cut", err.kind)
    assert.are.same({}, calls_of(made))
    local _, broken = stream(done(call("a", "{}"), 0), '{"type":"response.comp', completed())
    assert.are.equal("invalid", broken.kind)
    made, err = stream(text("all of it", 0), "[DONE]")
    assert.is_nil(err)
    assert.are.equal("all of it", made.content[1].text)
  end)

  it("reads an answer that is one JSON text", function()
    local decoder, fold = codec.decoder(), message.new()
    local answer = { status = "completed", error = json.null }
    answer.output = json.array({ output_message("hi"), call("a", "{}") })
    for _, item in ipairs(decoder:whole(json.encode(answer))) do
      fold:add(item)
    end
    local made = fold:message()
    assert.are.equal("text tool_call", kinds_of(made))
    assert.are.equal("tool_use", made.stop_reason)
    assert.are.equal("x", codec.decoder():whole('{"error":{"message":"x"}}')[1].message)
    assert.are.equal("invalid", codec.decoder():whole("<html>no</html>")[1].kind)
    assert.are.equal("invalid", codec.decoder():whole('{"a":1}')[1].kind)
  end)
end)
