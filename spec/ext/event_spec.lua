local bus = require("panto.ext.bus")

local function on(name, handler, payload, component)
  local reports = {}
  local events = bus.new(function(err)
    reports[#reports + 1] = err.message
  end)
  events:on(name, handler, { entry = "spec", source = "spec.lua" })
  local left, mounted = events:emit(name, payload, component)
  return left, mounted, reports
end

local DEFAULT = {
  render = function()
    return { "default" }
  end,
}

describe("an event", function()
  it("has its name and its payload's fields; an empty one is none", function()
    local seen
    on("tool_delta", function(e)
      seen = { e.name, e.delta, e.output, e.unknown }
    end, { delta = "d", output = "" })
    assert.same({ "tool_delta", "d" }, seen)
  end)

  it("lists its fields", function()
    local seen = {}
    on("tool_delta", function(e)
      for key, value in pairs(e) do
        seen[key] = value
      end
    end, { delta = "d", index = 1 })
    assert.same({ delta = "d", index = 1 }, seen)
  end)

  for name, written in pairs({
    user_message = { field = "text", value = "new", odd = 3 },
    tool_call_complete = { field = "input", value = { "new" }, odd = "text" },
    tool_result = { field = "output", value = "new", odd = {} },
  }) do
    local field = written.field
    it(("lets %s.%s be written, in its own type"):format(name, field), function()
      local left = on(name, function(e)
        e[field] = written.value
      end, { [field] = "old" })
      assert.same(written.value, left[field])
      local kept, _, reports = on(name, function(e)
        e[field] = written.odd
      end, { [field] = "old" })
      assert.same("old", kept[field])
      assert.matches(
        name .. "." .. field .. " wants a " .. type(written.value),
        reports[1],
        1,
        true
      )
    end)
  end

  it("refuses a write to any other field, naming it", function()
    local left, _, reports = on("tool_result", function(e)
      e.tool_name = "other"
    end, { tool_name = "t" })
    assert.equal("t", left.tool_name)
    assert.matches("event_spec.lua:%d+: tool_result.tool_name can only be read", reports[1])
  end)

  it("can deny a call, and only a call", function()
    local left = on("tool_call_complete", function(e)
      e:deny("not here")
    end, {})
    assert.equal("not here", left.denied)
    local _, _, reports = on("tool_result", function(e)
      e:deny("too late")
    end, {})
    assert.matches("deny", reports[1])
  end)

  it("is over after its handlers", function()
    local kept
    on("tool", function(e)
      kept = e
    end, { tool_name = "t" })
    for _, use in ipairs({
      function()
        return kept.tool_name
      end,
      function()
        kept:get_component()
      end,
      function()
        kept.text = "x"
      end,
      function()
        return pairs(kept)
      end,
    }) do
      local ok, err = pcall(use)
      assert.is_false(ok)
      assert.matches("the event tool is over", err)
    end
  end)
end)

describe("the component of an event", function()
  it("is the default one unless a handler sets another, by either spelling", function()
    for _, spelling in ipairs({
      { "get_component", "set_component" },
      { "getComponent", "setComponent" },
    }) do
      local got
      local _, mounted = on("tool", function(e)
        got = e[spelling[1]](e)
        e[spelling[2]](e, {
          render = function()
            return { "mine" }
          end,
        })
      end, {}, DEFAULT)
      assert.equal(DEFAULT, got)
      assert.same({ "mine" }, mounted:render(10))
    end
  end)

  it("passes through", function()
    local _, mounted = on("tool", function(e)
      e:set_component(e:get_component())
    end, {}, DEFAULT)
    assert.equal(DEFAULT, mounted)
  end)

  it("must be a table that renders", function()
    for _, wrong in ipairs({ 1, "x", {}, { render = 1 } }) do
      local _, mounted, reports = on("tool", function(e)
        e:set_component(wrong)
      end, {}, DEFAULT)
      assert.equal(DEFAULT, mounted)
      assert.matches("wants a table with a render function", reports[1])
    end
  end)

  it("stays as it was when a later handler fails", function()
    local events = bus.new()
    local mine = {
      render = function()
        return {}
      end,
    }
    events:on("tool", function(e)
      e:set_component(mine)
    end)
    events:on("tool", function()
      error("no")
    end)
    local _, mounted = events:emit("tool", {}, DEFAULT)
    assert.equal(mine, mounted)
  end)
end)

describe("a handler that does not come back", function()
  it("is interrupted, reported, and the others are told", function()
    local told, reports = false, {}
    local events = bus.new(function(err)
      reports[#reports + 1] = err.message
    end)
    events:on("tool", function()
      while true do
      end
    end)
    events:on("tool", function()
      told = true
    end)
    local started = os.clock()
    events:emit("tool", {})
    assert.is_true(told)
    assert.matches("did not come back within 2 s", reports[1])
    assert.is_true(os.clock() - started < 6)
    assert.is_nil(debug.gethook())
  end)

  it("is interrupted even when it catches errors", function()
    local events = bus.new()
    events:on("tool", function()
      while true do
        pcall(function()
          while true do
          end
        end)
      end
    end)
    events:emit("tool", {})
    assert.is_nil(debug.gethook())
  end)
end)
