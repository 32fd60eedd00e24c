local inspect = require("panto.base.inspect")

describe("inspect", function()
  it("writes values as Lua writes them, keys in order", function()
    assert.same("nil", inspect.write(nil))
    assert.same('"a\\nb\\27"', inspect.write("a\nb\27"))
    assert.same("{}", inspect.write({}))
    assert.same(
      '{ 1, "two", [5] = 5, a = true, ["b c"] = {} }',
      inspect.write({
        1,
        "two",
        a = true,
        [5] = 5,
        ["b c"] = {},
      })
    )
  end)

  it("breaks what is long into lines, and cuts what is deep, wide or endless", function()
    local ring = { name = "ring" }
    ring.self = ring
    assert.same('{ name = "ring", self = { its own parent } }', inspect.write(ring))
    assert.same("{ { {…} } }", inspect.write({ { { { 1 } } } }, { depth = 2 }))
    local text = inspect.write({ ("x"):rep(80), ("y"):rep(9) }, { text = 70 })
    assert.matches('^{\n  "x+" … %(80 bytes%),\n  "y+",\n}$', text)
    assert.matches("3, …", inspect.write({ 1, 2, 3, 4, 5 }, { items = 3 }), 1, true)
  end)

  it("calls no metamethod of a table", function()
    local trap = setmetatable({}, {
      __index = error,
      __pairs = error,
      __len = error,
      __tostring = error,
    })
    assert.same("{}", inspect.write(trap))
  end)
end)
