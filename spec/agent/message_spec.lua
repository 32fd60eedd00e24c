local json = require("panto.base.json")
local message = require("panto.agent.message")

local function fold_of(items)
  local fold = message.new({ provider = "p", model = "m", style = "openai_chat" })
  for _, item in ipairs(items) do
    fold:add(item)
  end
  return fold
end

local call = {
  { type = "tool_call_start", index = 1, id = "a", name = "std_read" },
  { type = "tool_call_delta", index = 1, delta = '{"path":' },
  { type = "tool_call_delta", index = 1, delta = '"x"}' },
}

local function with_call(...)
  local items = { { type = "text_delta", delta = "So" }, table.unpack(call) }
  for _, item in ipairs({ ... }) do
    items[#items + 1] = item
  end
  return fold_of(items)
end

describe("the message fold", function()
  it("joins texts, and parts them where thinking comes between", function()
    local made = fold_of({
      { type = "thinking_delta", delta = "hm", field = "reasoning" },
      { type = "thinking_delta", delta = "m", field = "reasoning" },
      { type = "text_delta", delta = "a" },
      { type = "text_delta", delta = "b" },
      { type = "usage", usage = { input = 1 } },
      { type = "stop", reason = "stop", raw = "stop" },
    }):message()
    assert.are.same({
      { type = "thinking", text = "hmm", field = "reasoning" },
      { type = "text", text = "ab" },
    }, setmetatable(made.content, nil))
    assert.are.equal("stop", made.stop_reason)
    assert.are.same({ input = 1 }, made.usage)
    assert.are.equal("p", made.provider)
  end)

  it("keeps the arguments as they came, and decodes them", function()
    local made = with_call(
      { type = "tool_call_end", index = 1 },
      { type = "stop", reason = "tool_use" }
    ):message()
    assert.are.equal('{"path":"x"}', made.content[2].arguments)
    assert.are.same({ path = "x" }, made.content[2].input)
  end)

  it("gives an empty input for empty arguments and none for broken ones", function()
    local function input_of(text)
      local made = fold_of({
        { type = "tool_call_start", index = 1, id = "a", name = "x" },
        { type = "tool_call_delta", index = 1, delta = text },
        { type = "tool_call_end", index = 1 },
        { type = "stop", reason = "tool_use" },
      }):message()
      return made.content[1].input
    end
    assert.are.same({}, input_of(""))
    assert.is_nil(input_of('{"a":'))
    assert.is_nil(input_of("[1]"))
    assert.is_nil(input_of("null"))
  end)

  it("has no call that was not ended", function()
    local made = with_call({ type = "stop", reason = "length" }):message()
    assert.are.equal(1, #made.content)
    assert.are.equal("length", made.stop_reason)
  end)

  it("has no call at all when an error came, even an ended one", function()
    local made, err = with_call(
      { type = "tool_call_end", index = 1 },
      { type = "error", kind = "cut", message = "gone" }
    ):message()
    assert.are.equal(1, #made.content)
    assert.are.same({ kind = "cut", message = "gone" }, err)
  end)

  it("says cut when the items just end", function()
    local _, err = with_call():message()
    assert.are.equal("cut", err.kind)
  end)

  it("drops everything at a restart", function()
    local fold = with_call()
    fold:add({ type = "restart" })
    fold:add({ type = "text_delta", delta = "anew" })
    fold:add({ type = "stop", reason = "stop" })
    local made = fold:message()
    assert.are.equal(1, #made.content)
    assert.are.equal("anew", made.content[1].text)
  end)

  it("gives the partial text of an aborted answer, marked, without its calls", function()
    local made = with_call({ type = "tool_call_end", index = 1 }):partial()
    assert.is_true(made.aborted)
    assert.is_nil(made.stop_reason)
    assert.are.equal(1, #made.content)
    assert.is_nil(fold_of(call):partial())
  end)

  it("keeps signatures and opaque pieces", function()
    local made = fold_of({
      { type = "thinking_delta", delta = "t" },
      { type = "thinking_signature", signature = "s" },
      { type = "thinking_delta", delta = "u" },
      { type = "opaque", value = { a = json.null } },
      { type = "stop", reason = "stop" },
    }):message()
    assert.are.equal("s", made.content[1].signature)
    assert.are.equal("u", made.content[2].text)
    assert.are.same(
      { type = "opaque", style = "openai_chat", value = { a = json.null } },
      made.content[3]
    )
  end)
end)
