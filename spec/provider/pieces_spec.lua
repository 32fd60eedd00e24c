local pieces = require("panto.provider.pieces")

local function text(delta, field)
  return { type = "text_delta", delta = delta, field = field }
end

describe("provider.pieces", function()
  it("joins what goes on in one text when many pieces come at once", function()
    local items = {}
    for number = 1, 20 do
      items[number] = text(number .. " ")
    end
    table.insert(items, 11, { type = "tool_call_start", index = 1, id = "c", name = "n" })
    table.insert(items, 12, { type = "tool_call_delta", index = 1, delta = "{" })
    table.insert(items, 13, { type = "tool_call_delta", index = 1, delta = "}" })
    table.insert(items, 14, { type = "tool_call_delta", index = 2, delta = "[" })
    items[#items + 1] = text("end", "phase")
    assert.same({
      text("1 2 3 4 5 6 7 8 9 10 "),
      { type = "tool_call_start", index = 1, id = "c", name = "n" },
      { type = "tool_call_delta", index = 1, delta = "{}" },
      { type = "tool_call_delta", index = 2, delta = "[" },
      text("11 12 13 14 15 16 17 18 19 20 "),
      text("end", "phase"),
    }, pieces.join(items))
  end)

  it("hands a few on as they came", function()
    local items = { text("a"), text("b"), text("c") }
    assert.equal(items, pieces.join(items))
  end)
end)
