local accounting = require("panto.ext.accounting")
local api = require("panto.ext.api")
local bus = require("panto.ext.bus")
local fs = require("panto.sys.fs")
local loader = require("panto.ext.loader")
local process = require("panto.sys.process")
local registry = require("panto.ext.registry")
local reload = require("panto.ext.reload")
local task = require("panto.sys.task")
local uv = require("luv")
local watchdog = require("panto.sys.watchdog")

local folder, world, options, events, reg, told

local function put(name, text)
  assert(fs.write(folder .. "/user/extensions/" .. name .. ".lua", text, { parents = true }))
end

local function start()
  reg = registry.new({ compact = true })
  events = bus.new(function(err)
    told[#told + 1] = err.message
  end)
  local made = api.new({ registry = reg, bus = events })
  world.ext, world.task, world.told =
    made.ext, setmetatable({ run = task.run_owned }, { __index = task }), told
  options = {
    api = made,
    registry = reg,
    accounting = accounting.new(),
    layers = { { name = "user", dir = folder .. "/user" } },
  }
  return loader.run(options)
end

--- The seconds of CPU that a call takes when the machine leaves it alone.
local function fastest(call)
  local best = math.huge
  for _ = 1, 50 do
    local before = os.clock()
    for _ = 1, 100 do
      call()
    end
    best = math.min(best, (os.clock() - before) / 100)
  end
  return best
end

local function entry(name, body, deactivate)
  return ('local world = require("spec_world")\nreturn { name = %q, activate = function(state)\n%s\nend,'):format(
    name,
    body
  ) .. ("deactivate = function() %s end }"):format(deactivate or "")
end

describe("a reload", function()
  before_each(function()
    folder = assert(uv.fs_mkdtemp("/tmp/panto-reload-XXXXXX"))
    world, told = {}, {}
    package.loaded["spec_world"] = world
  end)

  after_each(function()
    package.loaded["spec_world"] = nil
    watchdog.set_limit(2)
    task.loop(function()
      process.run({ file = "rm", args = { "-rf", folder } })
    end)
  end)

  it("replaces all registrations, in the order of the files", function()
    local seen = {}
    world.seen = seen
    local text = 'world.ext.on("e", function() table.insert(world.seen, %q) end)'
    task.loop(function()
      put("a", entry("a", text:format("a1")))
      put("b", entry("b", text:format("b1")))
      local before = start()
      events:on("e", function()
        seen[#seen + 1] = "panto"
      end, { entry = "panto", source = "built in" })
      put("a", entry("a", text:format("a2")))
      put("c", entry("c", text:format("c1")))
      local result = reload.run(options, before.entries)
      assert.same({}, result.errors)
      events:emit("e")
      assert.same({ "a2", "b1", "c1", "panto" }, seen)
      fs.remove(folder .. "/user/extensions/b.lua")
      result = reload.run(options, result.entries)
      events:emit("e")
      assert.same({ "a2", "b1", "c1", "panto", "a2", "c1", "panto" }, seen)
      assert.same(2, #result.entries)
    end)
  end)

  it("hands the state over, and keeps the old version of what fails in any place", function()
    local text =
      'world.ext.register_command { name = "n", handler = function() return %d + (state or 0) end }'
    task.loop(function()
      put("a", entry("a", text:format(1), "return 10"))
      local result = start()
      assert.same(1, reg:get_command("n").handler())
      put("a", entry("a", text:format(2), "return 20"))
      result = reload.run(options, result.entries)
      assert.same(12, reg:get_command("n").handler())
      for _, bad in ipairs({ "return {", "error('x')", "return 5", "while true do end" }) do
        watchdog.set_limit(0.1)
        put("a", bad)
        result = reload.run(options, result.entries)
        assert.same({ "a" }, result.kept)
        assert.matches("a.lua", result.errors[1].file)
        assert.same(12, reg:get_command("n").handler())
      end
      put("a", entry("a", text:format(3) .. "\nerror('late')"))
      result = reload.run(options, result.entries)
      assert.same({ "a" }, result.kept)
      assert.matches("late", result.errors[1].message)
      assert.same(22, reg:get_command("n").handler())
      put("a", entry("a", text:format(3), "error('gone')"))
      result = reload.run(options, result.entries)
      put("a", entry("a", text:format(4)))
      result = reload.run(options, result.entries)
      assert.matches("deactivate failed: .*gone", result.errors[1].message)
      assert.same(4, reg:get_command("n").handler())
      assert.same(1, #reg:commands())
    end)
  end)

  it("ends what an old version has started, and drops what it still registers", function()
    task.loop(function()
      put(
        "a",
        entry(
          "a",
          [[world.task.run(function()
            world.ticker = world.task.current()
            world.task.sleep(60000)
          end)
          world.late = function() world.ext.on("e", function() world.heard = true end) end
          world.task.run(function()
            world.task.sleep(1)
            world.ext.register_command { name = "later", handler = function() end }
          end)]]
        )
      )
      local result = start()
      task.sleep(20)
      assert.same("a", reg:get_command("later").entry)
      put("a", entry("a", ""))
      reload.run(options, result.entries)
      task.sleep(1)
      assert.is_true(world.ticker:done())
      assert.is_nil(reg:get_command("later"))
    end)
  end)

  it("cannot take a command of panto's own, nor one key twice", function()
    task.loop(function()
      put("a", entry("a", 'world.ext.register_command { name = "compact", handler = print }'))
      put("b", entry("b", 'world.ext.register_key { key = "Alt+Ctrl+T", handler = print }'))
      put("c", entry("c", 'world.ext.register_key { key = "ctrl+alt+t", handler = print }'))
      put("d", entry("d", 'world.ext.register_key { key = "x", handler = print }'))
      put("e", entry("e", 'world.ext.register_key { key = "ctrl+c", handler = print }'))
      local result = start()
      assert.same(4, #result.errors)
      assert.matches("compact is panto's own", result.errors[1].message)
      assert.matches("ctrl%+alt%+t is registered twice", result.errors[2].message)
      assert.matches("missing from what one types", result.errors[3].message)
      assert.matches("ctrl%+c is panto's own", result.errors[4].message)
      assert.same("b", reg:get_key("ctrl+alt+t").entry)
    end)
  end)

  it("keeps memory flat and loses no event over 200 times", function()
    task.loop(function()
      local text = [[
        local big = ("x"):rep(10000) .. tostring(state)
        world.ext.on("delta", function() world.count = world.count + (#big > 0 and 1 or 0) end)
        world.ext.register_tool { name = "t", handler = function() return big end }
        world.task.run(function() while true do world.task.sleep(1000) end end)]]
      world.count = 0
      put("a", entry("a", text, "return {}"))
      local result = start()
      local sent, stop = 0, false
      local stream = task.run(function()
        while not stop do
          sent = sent + 1
          events:emit("delta")
          task.sleep(0)
        end
      end)
      local at_ten
      for i = 1, 200 do
        result = reload.run(options, result.entries)
        if i % 10 == 0 then
          task.sleep(1)
        end
        if i == 10 or i == 200 then
          collectgarbage()
          collectgarbage()
          local now = collectgarbage("count")
          at_ten = at_ten or now
          assert.is_true(now < at_ten + 100, ("%.0f KB, %.0f KB"):format(at_ten, now))
        end
      end
      stop = true
      task.await(stream)
      assert.same(sent, world.count)
      assert.same(1, #reg:tools())
      assert.same(1, #events.lists.delta)
      put("a", "return {}")
      reload.run(options, result.entries) -- the last one's task ends too
    end)
  end)

  it("loads a hundred extensions for little more than reading and compiling them", function()
    task.loop(function()
      for i = 1, 100 do
        put(("x%03d"):format(i), entry("x" .. i, 'world.ext.on("e", function() end)'))
      end
      local loaded, compiled = math.huge, math.huge
      for _ = 1, 10 do
        local before = os.clock()
        local result = start()
        loaded = math.min(loaded, os.clock() - before)
        assert.same(100, #result.entries)
        before = os.clock()
        for i = 1, 100 do
          local path = ("%s/user/extensions/x%03d.lua"):format(folder, i)
          assert(load(assert(fs.read(path)), "@" .. path))
        end
        compiled = math.min(compiled, os.clock() - before)
      end
      assert.is_true(loaded < 6 * compiled, ("%.1f times"):format(loaded / compiled))
    end)
  end)

  it("tells a text delta to twenty handlers for little more than their own calls", function()
    events = bus.new()
    local function handler(e)
      return e.delta
    end
    for _ = 1, 20 do
      events:on("assistant_text_delta", handler, {
        entry = "x",
        source = "y",
        account = accounting.new():get("x"),
      })
    end
    local emitted = fastest(function()
      events:emit("assistant_text_delta", { index = 1, delta = "abc" })
    end)
    local called = fastest(function()
      local event = { index = 1, delta = "abc" }
      for _ = 1, 20 do
        pcall(handler, event)
      end
    end)
    assert.is_true(emitted < 8 * called, ("%.1f times"):format(emitted / called))
  end)
end)
