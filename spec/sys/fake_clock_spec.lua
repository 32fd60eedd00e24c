local clock = require("panto.sys.clock")
local fake_clock = require("panto.sys.fake_clock")
local task = require("panto.sys.task")

-- Runs a function on a clock that stands still.
local function at_rest(fn)
  local now = clock.now_ms
  task.loop(function()
    local time = fake_clock.install(1000)
    fn(time)
    time.restore()
  end)
  assert.equal(now, clock.now_ms)
end

describe("the fake clock", function()
  it("stands still until it is told to go on", function()
    at_rest(function(time)
      assert.equal(1000, clock.now_ms())
      time:advance(250)
      assert.equal(1250, clock.now_ms())
      assert.equal(1250, clock.mono_ms())
    end)
  end)

  it("wakes sleepers in their order, each at its own time", function()
    at_rest(function(time)
      local log = {}
      for _, ms in ipairs({ 300, 100, 200 }) do
        task.run(function()
          task.sleep(ms)
          log[#log + 1] = clock.now_ms() - 1000
        end)
      end
      time:advance(250)
      assert.same({ 100, 200 }, log)
      time:advance(50)
      assert.same({ 100, 200, 300 }, log)
    end)
  end)

  it("lets a sleeper sleep again within one advance", function()
    at_rest(function(time)
      local count = 0
      local ticker <close> = task.run(function()
        while true do
          task.sleep(10)
          count = count + 1
        end
      end)
      time:advance(100)
      assert.equal(10, count)
      assert.is_false(ticker:done())
    end)
  end)

  it("ends a timeout only when its time has come", function()
    at_rest(function(time)
      local in_time
      task.run(function()
        in_time = task.timeout(5000, task.sleep, 9000)
      end)
      time:advance(4999)
      assert.is_nil(in_time)
      time:advance(1)
      assert.is_false(in_time)
    end)
  end)

  it("never wakes a cancelled sleeper", function()
    at_rest(function(time)
      local woken = false
      local sleeper = task.run(function()
        task.sleep(100)
        woken = true
      end)
      sleeper.observed = true
      task.cancel(sleeper)
      time:advance(1000)
      assert.is_false(woken)
    end)
  end)

  it("leaves what still sleeps to the real time", function()
    local woken = false
    task.loop(function()
      local time = fake_clock.install(0)
      local sleeper = task.run(function()
        task.sleep(20)
        woken = true
      end)
      time.restore()
      task.join(sleeper)
    end)
    assert.is_true(woken)
  end)
end)
