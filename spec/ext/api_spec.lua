local api = require("panto.ext.api")
local bus = require("panto.ext.bus")
local registry = require("panto.ext.registry")
local wall = require("panto.ext.wall")

local function setup()
  local reg, events = registry.new(), bus.new()
  return api.new({ registry = reg, bus = events }), reg, events
end

local function noop() end

-- As the loader does it when it activates an entry.
local function as(owner, fn, ...)
  return wall.wait(1000, owner, fn, ...)
end

describe("panto.ext", function()
  it("registers for the owner whose activation runs", function()
    local made, reg = setup()
    as({ entry = "mine", source = "/mine.lua" }, function()
      made.ext.register_tool({ name = "t", handler = noop })
      made.ext.register_command({ name = "c", description = "d", handler = noop })
    end)
    assert.same("mine", reg:tools()[1].entry)
    assert.same("/mine.lua", reg:get_command("c").source)
  end)

  it("names the file of a call outside of any activation", function()
    local made, reg = setup()
    made.ext.register_command({ name = "c", handler = noop })
    assert.matches("api_spec.lua", reg:get_command("c").source)
  end)

  it("raises where the mistake stands", function()
    local made = setup()
    local function fails(pattern, fn, ...)
      local ok, message = pcall(fn, ...)
      assert.is_false(ok)
      assert.matches(pattern, message)
    end
    fails("needs a name", function()
      made.ext.register_tool({})
    end)
    fails("^spec/ext/api_spec.lua:%d+: command /c needs a handler", function()
      made.ext.register_command({ name = "c" })
    end)
    fails("one word, without the slash", function()
      made.ext.register_command({ name = "/c", handler = noop })
    end)
    fails('api_spec.lua:%d+: on%("e"%): the handler is a function', function()
      made.ext.on("e")
    end)
  end)

  it("rejects a second command of a name, naming both", function()
    local made = setup()
    local command = { name = "compact", handler = noop }
    as({ entry = "panto", source = "built in" }, made.ext.register_command, command)
    local owner = { entry = "mine", source = "/mine.lua" }
    local ok, err = as(owner, made.ext.register_command, command)
    assert.is_false(ok)
    assert.matches(
      "/compact is registered twice: by panto %(built in%) and by mine %(/mine.lua%)",
      err.message
    )
  end)

  it("carries custom events, and unsubscribes", function()
    local made = setup()
    local seen = {}
    local remove = made.ext.on("mine", function(payload)
      seen[#seen + 1] = payload.n
    end)
    made.ext.emit("mine", { n = 1 })
    remove()
    made.ext.emit("mine", { n = 2 })
    assert.same({ 1 }, seen)
  end)

  it("unsubscribes also what was subscribed while a file was evaluated", function()
    local made, _, events = setup()
    local count = 0
    local recorded = made:start_recording()
    local remove = made.ext.on("e", function()
      count = count + 1
    end)
    made:stop_recording()
    events:emit("e")
    recorded[1]({ entry = "x", source = "y" })
    events:emit("e")
    remove()
    events:emit("e")
    assert.same(1, count)
  end)
end)
