local reflow = require("panto.tui.reflow")
local screen = require("panto.tui.screen")

local function stale(options)
  options.row, options.col = options.row or #options.lines, options.col or 1
  options.text_rows = options.text_rows or 0
  return options
end

describe("tui.reflow", function()
  it("counts rows as a terminal wraps them, a wide character whole", function()
    local lines = { ("x"):rep(20), "中中中中中", "draft" }
    assert.equal(2, reflow.rows_above(stale({ lines = lines, cols = 20 }), 20))
    assert.equal(3, reflow.rows_above(stale({ lines = lines, cols = 20 }), 10))
    assert.equal(5, reflow.rows_above(stale({ lines = lines, cols = 20 }), 9))
    assert.equal(
      1,
      reflow.rows_above(stale({ lines = { ("x"):rep(20) }, cols = 20, col = 11 }), 10)
    )
  end)

  it("tells what was pushed off the top from the cursor's row", function()
    local lines = { ("x"):rep(20), ("="):rep(20), "draft" }
    local place = stale({ lines = lines, cols = 20, text_rows = 1 })
    assert.same({ 0, 0 }, { reflow.pushed(place, 10) })
    place.at = 5
    assert.same({ 0, 0 }, { reflow.pushed(place, 10) })
    place.at = 4 -- one of four rows is gone, and the line is left whole
    assert.same({ 2, 1 }, { reflow.pushed(place, 10) })
    place.at = 2
    assert.same({ 3, 1 }, { reflow.pushed(place, 10) })
  end)

  it("wants free rows above only after a screen has become narrower", function()
    local place = stale({ lines = { "draft" }, cols = 20, at = 3 })
    assert.is_true(reflow.padding(place, 10) > 0)
    assert.equal(0, reflow.padding(place, 20))
    place.at = 20
    assert.is_true(reflow.padding(place, 10) <= 0)
  end)
end)

describe("tui.screen after a resize", function()
  local function new()
    local written = {}
    local s = screen.new({
      cols = 20,
      rows = 12,
      write = function(bytes)
        written[#written + 1] = bytes
      end,
    })
    return s, written
  end

  it("goes on behind the text that is in the scrollback already", function()
    local s, written = new()
    s:draw({ "one two three four", "rule", "" }, { row = 3, col = 1 }, 1)
    s:resize(10, 12)
    s:locate(3) -- four rows above the cursor would make it 4
    s:draw({ "one two", "three \27[1mfour", "five\27[0m", "rule", "" }, { row = 5, col = 1 }, 3)
    assert.is_nil(written[2]:find("one", 1, true))
    assert.is_nil(written[2]:find("four", 1, true))
    assert.is_truthy(written[2]:find("five", 1, true))
    s:append({ "one two" })
    s:draw({ "three \27[1mfour", "five\27[0m", "rule", "" }, { row = 4, col = 1 }, 2)
    assert.equal(2, #written)
    s:append({ "three \27[1mfour five\27[0m", "six" })
    s:draw({ "rule", "" }, { row = 2, col = 1 }, 0)
    assert.is_nil(written[3]:find("one", 1, true))
    assert.is_truthy(written[3]:find("six", 1, true))
    assert.is_nil(s.kept)
  end)

  it("keeps a few rows free above, until finished ones take their place", function()
    local s = new()
    s:draw({ "rule", "" }, { row = 2, col = 1 }, 0)
    s:resize(10, 12)
    s:locate(2)
    s:draw({ "rule", "" }, { row = 2, col = 1 }, 0)
    assert.equal(10, #s.shown)
    assert.equal(10, s.row)
    s:append({ "a", "b", "c" })
    s:draw({ "rule", "" }, { row = 2, col = 1 }, 0)
    assert.equal(7, #s.shown)
    s:resize(30, 12)
    s:locate(10)
    s:draw({ "rule", "" }, { row = 2, col = 1 }, 0)
    assert.same({ "rule", "" }, s.shown)
  end)
end)
