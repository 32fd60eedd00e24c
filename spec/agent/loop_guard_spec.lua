local loop_guard = require("panto.agent.loop_guard")

local function call(n)
  return { name = "t", input = { n = n } }
end

describe("the loop guard", function()
  it("counts the same call with the same result only while it runs on", function()
    local guard = loop_guard.new()
    for _ = 1, 3 do
      assert.is_nil(guard:add(call(1), "r"))
      guard:close_round()
    end
    assert.is_nil(guard:add(call(1), "other"))
    guard:close_round()
    assert.is_nil(guard:add(call(1), "r"))
  end)

  it("sees that rounds of several calls repeat", function()
    local guard = loop_guard.new()
    local told, stopped
    for round = 1, 8 do
      guard:add(call(1), "a")
      told = guard:add(call(2), "b")
      stopped = guard:close_round()
      assert.same(round >= 4, told ~= nil)
      assert.same(round >= 8, stopped)
    end
  end)
end)
