local bus = require("panto.ext.bus")
local task = require("panto.sys.task")

describe("the bus", function()
  it("tells handlers in the order of registration and returns the payload", function()
    local events = bus.new()
    for i = 1, 3 do
      events:on("user_message", function(e)
        e.text = e.text .. i
      end)
    end
    assert.same("x123", events:emit("user_message", { text = "x" }).text)
    assert.same({}, (events:emit("nobody")))
  end)

  it("stops telling a handler that is removed, even while it tells", function()
    local events, seen = bus.new(), {}
    local remove
    remove = events:on("e", function()
      seen[#seen + 1] = "a"
      remove()
    end)
    events:on("e", function()
      seen[#seen + 1] = "b"
    end)
    events:emit("e")
    events:emit("e")
    assert.same({ "a", "b", "b" }, seen)
  end)

  it("removes all of an owner", function()
    local events, count = bus.new(), 0
    local owner = { entry = "x", source = "y" }
    for _, name in ipairs({ "a", "b" }) do
      events:on(name, function()
        count = count + 1
      end, owner)
    end
    events:remove(owner)
    events:emit("a")
    events:emit("b")
    assert.same(0, count)
  end)

  it("reports a handler that raises once, and tells the others", function()
    local reports, seen = {}, 0
    local events = bus.new(function(err)
      reports[#reports + 1] = err
    end)
    events:on("e", function()
      error("broken")
    end, { entry = "x", source = "/x.lua" })
    events:on("e", function()
      seen = seen + 1
    end)
    events:emit("e")
    events:emit("e")
    assert.same(2, seen)
    assert.same(1, #reports)
    assert.same("x", reports[1].owner.entry)
    assert.matches("bus_spec.lua:%d+: broken", reports[1].message)
    assert.matches("bus_spec", reports[1].traceback)
  end)

  it("denies a call whose handler is broken", function()
    local events = bus.new()
    events:on("tool_call_complete", function()
      error("broken")
    end, { entry = "guard", source = "/x.lua" })
    assert.matches(
      "the handler of guard failed: .*broken",
      events:emit("tool_call_complete", {}).denied
    )
  end)

  it("lets the cancelling of the task through", function()
    local events = bus.new()
    events:on("e", function()
      task.sleep(10000)
    end)
    task.loop(function()
      local t = task.run(function()
        events:emit("e")
      end)
      t.observed = true
      task.cancel(t)
      task.sleep(5)
      assert.is_true(task.is_cancelled(t.err))
    end)
  end)

  it("costs nearly nothing without handlers", function()
    local events, payload = bus.new(), {}
    local plain = { emit = function() end }
    local function fastest(target)
      local best = math.huge
      for _ = 1, 20 do
        local started = os.clock()
        for _ = 1, 2e4 do
          target:emit("e", payload)
        end
        best = math.min(best, os.clock() - started)
      end
      return best
    end
    assert.is_true(fastest(events) < 15 * fastest(plain))
  end)
end)
