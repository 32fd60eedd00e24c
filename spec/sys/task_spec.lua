local task = require("panto.sys.task")

local function in_loop(main)
  return task.loop(main)
end

describe("a task", function()
  it("runs at once until its first wait", function()
    in_loop(function()
      local seen = {}
      local t = task.run(function()
        seen[1] = "start"
        task.sleep(1)
        seen[2] = "end"
      end)
      assert.same({ "start" }, seen)
      task.await(t)
      assert.same({ "start", "end" }, seen)
    end)
  end)

  it("gives its results to whoever awaits it, again and again", function()
    in_loop(function()
      local t = task.run(function()
        task.sleep(1)
        return 1, nil, 3
      end)
      assert.same({ 1, nil, 3 }, { task.await(t) })
      assert.same({ 1, nil, 3 }, { task.await(t) })
    end)
  end)

  it("raises its error where it is awaited, and keeps the traceback", function()
    in_loop(function()
      local t = task.run(function()
        task.sleep(1)
        error("broken")
      end)
      local ok, err = pcall(task.await, t)
      assert.is_false(ok)
      assert.matches("broken", err)
      assert.matches("task_spec", t.traceback)
    end)
  end)

  it("is told of when it fails and nobody awaits it", function()
    local heard
    task.on_unhandled(function(err)
      heard = err
    end)
    in_loop(function()
      task.run(function()
        task.sleep(1)
        error("lost")
      end)
      task.sleep(5)
    end)
    task.on_unhandled(nil)
    assert.matches("lost", heard)
  end)

  it("refuses to wait inside a coroutine of its own", function()
    in_loop(function()
      local co = coroutine.wrap(function()
        task.sleep(1)
      end)
      local ok, err = pcall(co)
      assert.is_false(ok)
      assert.matches("must be called in a task", err)
    end)
  end)
end)

describe("cancelling", function()
  it("closes the wait and raises CANCELLED there, once", function()
    in_loop(function()
      local caught, cleaned
      local t = task.run(function()
        local ok, err = pcall(task.sleep, 60000)
        caught = not ok and task.is_cancelled(err)
        task.sleep(1)
        cleaned = true
      end)
      task.cancel(t)
      task.await(t)
      assert.is_true(caught)
      assert.is_true(cleaned)
    end)
  end)

  it("reaches a task that is not waiting at its next wait", function()
    in_loop(function()
      local t
      t = task.run(function()
        task.sleep(1)
        task.cancel(t)
        task.sleep(60000)
      end)
      assert.is_false((pcall(task.await, t)))
    end)
  end)

  it("happens at the end of the scope of a <close> variable", function()
    in_loop(function()
      local kept
      do
        local t <close> = task.run(task.sleep, 60000)
        kept = t
      end
      task.sleep(1)
      assert.is_true(kept:done())
      assert.is_nil(kept.results)
    end)
  end)

  it("of a finished task does nothing", function()
    in_loop(function()
      local t = task.run(function()
        return 7
      end)
      task.cancel(t)
      assert.equal(7, task.await(t))
    end)
  end)
end)

describe("task.all", function()
  it("runs together and returns in order", function()
    in_loop(function()
      local started = os.clock()
      local list = {}
      for i = 1, 50 do
        list[i] = function()
          task.sleep((50 - i) % 7)
          return i
        end
      end
      local results = task.all(list)
      for i = 1, 50 do
        assert.equal(i, results[i])
      end
      assert.is_true(os.clock() - started < 5)
    end)
  end)

  it("raises the first error and cancels the others", function()
    in_loop(function()
      local slow = task.run(task.sleep, 60000)
      local ok, err = pcall(task.all, {
        slow,
        function()
          task.sleep(1)
          error("second failed", 0)
        end,
      })
      assert.is_false(ok)
      assert.equal("second failed", err)
      task.sleep(1)
      assert.is_true(slow:done())
    end)
  end)

  it("cancels all when it is cancelled itself", function()
    in_loop(function()
      local inner = task.run(task.sleep, 60000)
      local outer = task.run(function()
        task.all({ inner })
      end)
      task.cancel(outer)
      task.sleep(1)
      assert.is_true(outer:done())
      assert.is_true(inner:done())
    end)
  end)

  it("of an empty list returns at once", function()
    in_loop(function()
      assert.same({}, task.all({}))
    end)
  end)
end)

describe("task.timeout", function()
  it("returns the results in time and false after it", function()
    in_loop(function()
      assert.same({ true, 5 }, {
        task.timeout(1000, function()
          task.sleep(1)
          return 5
        end),
      })
      assert.is_false(task.timeout(2, task.sleep, 60000))
    end)
  end)
end)

describe("the loop", function()
  it("lets input and timers in between long runs of ready tasks", function()
    in_loop(function()
      local channel = require("panto.sys.channel")
      local a, b = channel.new(), channel.new()
      local ping <close> = task.run(function()
        while true do
          b:put(a:take())
        end
      end)
      local pong <close> = task.run(function()
        while true do
          a:put(b:take())
        end
      end)
      a:put(1)
      task.sleep(5)
      assert.is_false(ping:done() or pong:done())
    end)
  end)

  it("says when the main task waits for nothing that can come", function()
    local ok, err = pcall(task.loop, function()
      task.wait(function() end)
    end)
    assert.is_false(ok)
    assert.matches("never happen", err)
  end)

  it("runs 20,000 tasks without growing", function()
    in_loop(function()
      local function burst()
        for _ = 1, 10000 do
          task.run(function()
            task.wait(function(resume)
              resume(1)
            end)
          end)
        end
        collectgarbage()
        collectgarbage()
        return collectgarbage("count")
      end
      local first = burst()
      assert.is_true(burst() < first + 200)
    end)
  end)

  it("goes on after a bare coroutine.yield, once the others had their turn", function()
    in_loop(function()
      local order = {}
      local one = task.run(function()
        order[#order + 1] = "one"
        coroutine.yield("anything")
        order[#order + 1] = "one again"
        return 1
      end)
      task.run(function()
        order[#order + 1] = "other"
      end)
      assert.equal(1, task.await(one))
      assert.same({ "one", "other", "one again" }, order)
    end)
  end)
end)
