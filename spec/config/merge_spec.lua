local json = require("panto.base.json")
local merge = require("panto.config.merge")

describe("merge", function()
  it("merges tables deeply and leaves both sides as they were", function()
    local lower = { a = { x = 1, y = { z = 1 } }, b = 1 }
    local upper = { a = { y = { w = 2 } }, c = 3 }
    assert.same({ a = { x = 1, y = { z = 1, w = 2 } }, b = 1, c = 3 }, merge.merge(lower, upper))
    assert.same({ a = { x = 1, y = { z = 1 } }, b = 1 }, lower)
  end)

  it("replaces arrays whole, by an empty one too", function()
    assert.same({ a = { 3 } }, merge.merge({ a = { 1, 2 } }, { a = { 3 } }))
    local merged = merge.merge({ a = { 1, 2 } }, { a = json.array({}) })
    assert.equal(0, #merged.a)
  end)

  it("lets an empty table change nothing", function()
    assert.same({ a = { b = 1 } }, merge.merge({ a = { b = 1 } }, { a = {} }))
  end)
end)
