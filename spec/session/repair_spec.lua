local repair = require("panto.session.repair")

local function user(text)
  return { role = "user", content = { { type = "text", text = text } } }
end

local function calls(...)
  local message = { role = "assistant", content = {} }
  for _, id in ipairs({ ... }) do
    table.insert(
      message.content,
      { type = "tool_call", id = id, name = "std_read", arguments = "{}" }
    )
  end
  return message
end

local function result(id, text)
  return { role = "tool", tool_call_id = id, content = { { type = "text", text = text or "ok" } } }
end

local function shape(messages)
  local list = {}
  for i, message in ipairs(messages) do
    list[i] = message.tool_call_id and "tool " .. message.tool_call_id or message.role
  end
  return table.concat(list, ", ")
end

describe("repair", function()
  it("keeps a whole conversation as it is, the very same messages", function()
    local whole = { user("a"), calls("1", "2"), result("1"), result("2"), calls(), user("b") }
    local mended, notes = repair.messages(whole)
    assert.same({}, notes)
    for i, message in ipairs(whole) do
      assert.equal(message, mended[i])
    end
  end)

  it("answers calls without a result as interrupted", function()
    local mended, notes = repair.messages({ user("a"), calls("1", "2"), result("1") })
    assert.equal("user, assistant, tool 1, tool 2", shape(mended))
    assert.is_true(mended[4].is_error)
    assert.equal("std_read", mended[4].tool_name)
    assert.matches("^interrupted", mended[4].content[1].text)
    assert.same({ "1 tool call without a result: marked as interrupted" }, notes)
  end)

  it("brings results into call order, before a message that came between", function()
    local mended = repair.messages({ calls("1", "2"), result("2"), user("steer"), result("1") })
    assert.equal("assistant, tool 1, tool 2, user", shape(mended))
  end)

  it("drops repeated results and results without a call", function()
    local mended, notes =
      repair.messages({ result("0"), calls("1"), result("1", "x"), result("1"), user("b") })
    assert.equal("assistant, tool 1, user", shape(mended))
    assert.equal("x", mended[2].content[1].text)
    assert.same({ "2 tool results without a call: left out" }, notes)
  end)

  it("keeps apart ids that a provider uses again in each message", function()
    local mended =
      repair.messages({ calls("0"), result("0", "a"), calls("0"), result("0", "b"), calls("0") })
    assert.equal("assistant, tool 0, assistant, tool 0, assistant, tool 0", shape(mended))
    assert.equal("a", mended[2].content[1].text)
    assert.equal("b", mended[4].content[1].text)
    assert.is_true(mended[6].is_error)
  end)

  it("answers two calls of one id by two results", function()
    local mended = repair.messages({ calls("1", "1"), result("1", "a"), result("1", "b") })
    assert.equal("a", mended[2].content[1].text)
    assert.equal("b", mended[3].content[1].text)
  end)
end)
