local channel = require("panto.sys.channel")
local task = require("panto.sys.task")

describe("a channel", function()
  it("gives values in the order they were put", function()
    task.loop(function()
      local c = channel.new()
      c:put(1)
      c:put(2)
      assert.equal(2, c:size())
      assert.equal(1, c:take())
      assert.equal(2, c:take())
    end)
  end)

  it("lets its taker wait, and ends it when closed", function()
    task.loop(function()
      local c, seen = channel.new(), {}
      local t = task.run(function()
        for value in
          function()
            return c:take()
          end
        do
          seen[#seen + 1] = value
        end
      end)
      c:put("a")
      task.sleep(1)
      c:put("b")
      c:close()
      task.await(t)
      assert.same({ "a", "b" }, seen)
    end)
  end)

  it("forgets a cancelled taker", function()
    task.loop(function()
      local c = channel.new()
      local t = task.run(c.take, c)
      task.cancel(t)
      task.sleep(1)
      c:put("kept")
      assert.equal("kept", c:take())
    end)
  end)
end)
