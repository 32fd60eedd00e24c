local screen = require("panto.tui.screen")

local function new(options)
  local written = {}
  local s = screen.new({
    cols = options and options.cols or 20,
    rows = options and options.rows or 10,
    write = function(bytes)
      written[#written + 1] = bytes
    end,
  })
  return s, written
end

-- The words that were written, without everything that moves, clears or colours.
local function words(bytes)
  local list = {}
  for word in bytes:gsub("\27%[[%d;?]*%a", "|"):gmatch("[^|\r\n]+") do
    list[#list + 1] = word
  end
  return list
end

describe("tui.screen", function()
  it("writes nothing when nothing changed", function()
    local s, written = new()
    assert.is_true(s:draw({ "a", "b" }, { row = 1, col = 2 }))
    assert.is_false(s:draw({ "a", "b" }, { row = 1, col = 2 }))
    assert.equal(1, #written)
  end)

  it("writes only what was typed at the end of a line", function()
    local s, written = new()
    s:draw({ "hello", "foot" }, { row = 1, col = 6 })
    s:draw({ "hello!", "foot" }, { row = 1, col = 7 })
    assert.equal("\27[?2026h\27[6G!\27[7G\27[?2026l", written[2])
  end)

  it("turns a live line into a finished one without writing it again", function()
    local s, written = new()
    s:draw({ "answer", "edit" }, { row = 2, col = 1 })
    s:append({ "answer" })
    s:draw({ "edit" }, { row = 1, col = 1 })
    assert.is_nil(written[2]:find("answer", 1, true))
  end)

  it("draws a frame again that was taken back, above where the cursor is by it", function()
    local s, written = new()
    s:draw({ "aaaa bbbb cccc dddd", "foot" }, { row = 2, col = 1 })
    s:append({ "aaaa bbbb cccc dddd", "one", "two" })
    s:draw({ "foot" }, { row = 1, col = 1 })
    s:undo()
    s:append({ "three" })
    s:resize(10, 10)
    s:locate(9)
    s:draw({ "foot!" }, { row = 1, col = 1 })
    -- The first line takes two rows by now, and the lost frame has gone down by two.
    assert.is_truthy(written[3]:find("^\27%[%?2026h[^A]*\27%[4A"), written[3])
    assert.same({ "aaaa bbbb", "cccc dddd", "one", "two", "three", "foot!" }, words(written[3]))
    s:undo()
    s:undo()
    s:draw({ "foot!" }, { row = 1, col = 1 })
    assert.same({ "aaaa bbbb", "cccc dddd", "one", "two", "three", "foot!" }, words(written[4]))
  end)

  it("never writes a line that is wider than the terminal", function()
    local s, written = new({ cols = 5 })
    s:append({ "finished" })
    s:draw({ "a very long line", "中中中" }, { row = 1, col = 99 })
    assert.same({ "finis", "hed", "a ver", "中中" }, words(written[1]))
  end)

  it("lets no line move the cursor or set the title", function()
    local s, written = new()
    s:draw({ "a\27[2Jb\27]0;title\7c\rd\27[31me" }, nil)
    assert.is_truthy(written[1]:find("abcd\27[31me\27[0m", 1, true))
  end)

  it("shows the last rows of a live part that is taller than the screen", function()
    local s, written = new({ rows = 4 })
    s:draw({ "1", "2", "3", "4", "5" }, { row = 5, col = 1 })
    assert.same({ "3", "4", "5" }, words(written[1]))
  end)

  it("shows the cursor's row however low the window is", function()
    local s, written = new({ rows = 3 })
    s:draw({ "1", "2", "draft", "rule", "foot" }, { row = 3, col = 1 })
    assert.same({ "draft", "rule" }, words(written[1]))
  end)

  it(
    "keeps a live part that becomes shorter where it is, with blank rows behind its text",
    function()
      local s, written = new()
      s:draw({ "text", "spin", "draft" }, { row = 3, col = 2 }, 1)
      s:draw({ "text", "draft" }, { row = 2, col = 2 }, 1)
      assert.same({ "text", "", "draft" }, s.shown)
      assert.equal(3, s.row)
      s:append({ "one", "two" })
      s:draw({ "draft" }, { row = 1, col = 2 }, 0)
      assert.same({ "draft" }, s.shown)
      assert.equal(3, #written)
    end
  )

  it("hides the cursor when there is none and shows it again", function()
    local s, written = new()
    s:draw({ "a" }, nil)
    s:draw({ "a" }, { row = 1, col = 1 })
    assert.is_truthy(written[1]:find("\27[?25l", 1, true))
    assert.is_truthy(written[2]:find("\27[?25h", 1, true))
  end)

  it("after a resize goes up over the rows that the old lines take now", function()
    local s, written = new({ cols = 20 })
    s:draw({ ("="):rep(20), "draft" }, { row = 2, col = 1 })
    s:resize(10, 10)
    s:draw({ ("="):rep(10), "draft" }, { row = 2, col = 1 })
    assert.is_truthy(written[2]:find("^\27%[%?2026h\27%[2A\r\27%[K\27%[2G\27%[J\r"))
  end)

  it("never clears from the first cell, where tmux would keep what was there", function()
    local s, written = new({ rows = 4 })
    s:draw({ "a", "b", "c" }, { row = 1, col = 1 })
    s:draw({ "a" }, { row = 1, col = 1 })
    s:append({ "1", "2", "3", "4", "5" })
    s:draw({ "b" }, { row = 1, col = 1 })
    s:invalidate()
    s:draw({ "b" }, { row = 1, col = 1 })
    assert.is_nil(table.concat(written):find("\r\27[J", 1, true))
  end)

  it("knows how long tmux may tell a wrong size", function()
    local env = { TMUX = "/tmp/tmux" }
    local function get(name)
      return env[name]
    end
    assert.is_true(screen.settle_ms(get) > 250)
    env.TMUX = nil
    assert.is_true(screen.settle_ms(get) < 100)
  end)

  it("leaves a free line to another program and draws again after it", function()
    local s, written = new()
    s:draw({ "a", "b" }, { row = 2, col = 1 })
    s:suspend()
    assert.is_false(s:draw({ "c" }, nil))
    s:resume()
    assert.is_true(s:draw({ "a", "b" }, { row = 2, col = 1 }))
    assert.same({ "a", "b" }, words(written[3]))
  end)

  it("closes once, with the cursor shown on a line below", function()
    local s, written = new()
    s:draw({ "a", "b", "c" }, { row = 1, col = 1 })
    s:close()
    s:close()
    assert.equal("\n\n\r\n\27[?7h\27[?25h", written[2])
    assert.equal(2, #written)
  end)
end)
