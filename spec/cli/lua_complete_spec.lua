-- Completion of `panto lua`: names that may follow, found without calling anything.

local lua_complete = require("panto.cli.lua_complete")

local function labels(line)
  local found = lua_complete.complete(line, #line)
  local list = {}
  for i, item in ipairs(found and found.items or {}) do
    list[i] = item.label
  end
  return list, found and found.start
end

describe("completion in panto lua", function()
  it("offers globals and keywords", function()
    assert.same({ "collectgarbage", "coroutine" }, (labels("x = co")))
    assert.same({ "repeat", "require", "return" }, (labels("re")))
  end)

  it("offers the fields of a table from the dot on", function()
    local list, start = labels("print(math.ma")
    assert.same({ "max", "maxinteger" }, list)
    assert.equal(11, start)
  end)

  it("offers only what can be called after a colon", function()
    local object = setmetatable({ size = 1 }, { __index = { send = print } })
    _G.spec_object = object -- luacheck: ignore 122
    assert.same({ "send" }, (labels("spec_object:")))
    assert.same({ "send", "size" }, (labels("spec_object.s")))
    _G.spec_object = nil -- luacheck: ignore 122
  end)

  it("calls no function to find a name", function()
    local called = false
    _G.spec_lazy = setmetatable({}, { -- luacheck: ignore 122
      __index = function()
        called = true
      end,
    })
    assert.same({}, (labels("spec_lazy.inner.x")))
    assert.is_false(called)
    _G.spec_lazy = nil -- luacheck: ignore 122
  end)

  it("offers modules inside require, those on disk too", function()
    local list, start = labels('require "panto.base.base')
    assert.same({ "panto.base.base64" }, list)
    assert.equal(9, start)
  end)

  it("offers nothing behind a value or a blank", function()
    assert.is_nil(lua_complete.complete("  ", 2))
    assert.is_nil(lua_complete.complete("f().x", 5))
  end)
end)
