local draft = require("panto.tui.draft")

local function with(text)
  local d = draft.new()
  d:insert(text)
  return d
end

describe("tui.draft", function()
  it("erases and moves by whole clusters", function()
    local d = with("a中e\u{301}")
    d:backspace()
    assert.equal("a中", d:text())
    d:left()
    d:delete()
    assert.equal("a", d:text())
    d:backspace()
    assert.is_true(d:is_empty())
    assert.is_false(d:backspace())
  end)

  it("joins lines at their ends", function()
    local d = with("one\ntwo")
    d:home()
    d:backspace()
    assert.equal("onetwo", d:text())
    d:newline()
    assert.equal("one\ntwo", d:text())
    d:left()
    d:delete()
    assert.equal("onetwo", d:text())
  end)

  it("moves by words, over lines too", function()
    local d = with("foo bar.baz\nqux")
    d:word_left()
    assert.same({ 2, 0 }, { d.row, d.col })
    d:word_left()
    d:word_left()
    assert.same({ 1, 8 }, { d.row, d.col })
    d:word_left()
    d:word_right()
    assert.same({ 1, 7 }, { d.row, d.col })
  end)

  it("moves through the rows of a wrapped line and keeps the column", function()
    local d = with("aaaa bbbb cccc\nx\nlonger line")
    d:to_first()
    for _ = 1, 3 do
      d:right()
    end
    assert.is_true(d:down(5))
    assert.same({ 1, 8 }, { d.row, d.col })
    d:down(5)
    d:down(5)
    assert.same({ 2, 1 }, { d.row, d.col })
    d:down(5)
    assert.same({ 3, 3 }, { d.row, d.col })
    for _ = 1, 4 do
      d:up(5)
    end
    assert.same({ 1, 3 }, { d.row, d.col })
    assert.is_false(d:up(5))
  end)

  it("kills, joins kills that follow each other, and yanks them", function()
    local d = with("one two three")
    d:kill_word_left()
    d:kill_word_left()
    assert.equal("one ", d:text())
    d:yank()
    assert.equal("one two three", d:text())
    d:home()
    d:kill_word_right()
    d:to_end()
    d:kill_to_start()
    assert.equal("", d:text())
    d:yank()
    assert.equal(" two three", d:text())
    d:yank_pop()
    assert.equal("one", d:text())
  end)

  it("kills to the ends of a line and then the line end itself", function()
    local d = with("one\ntwo")
    d:to_first()
    d:kill_to_end()
    d:kill_to_end()
    assert.equal("two", d:text())
    d:to_end()
    d:kill_to_start()
    assert.equal("", d:text())
  end)

  it("cuts back to a blank with Ctrl+W", function()
    local d = with("run a/b.c-d  ")
    d:kill_blank_word_left()
    assert.equal("run ", d:text())
  end)

  it("takes back word by word and does again", function()
    local d = draft.new()
    for char in ("one two"):gmatch(".") do
      d:insert(char)
    end
    d:undo()
    assert.equal("one ", d:text())
    d:undo()
    assert.equal("", d:text())
    assert.is_false(d:undo())
    d:redo()
    d:redo()
    assert.equal("one two", d:text())
    d:kill_to_start()
    d:undo()
    assert.equal("one two", d:text())
  end)

  it("exchanges the two cells around the cursor", function()
    local d = with("a中")
    d:transpose()
    assert.equal("中a", d:text())
  end)

  it("shows a long paste as one mark that is erased whole and expands in the text", function()
    local long = ("line\n"):rep(120)
    local d = with("see ")
    d:paste(long)
    assert.equal("see " .. long, d:text())
    assert.equal("see [paste #1: 120 lines]", d:get_rows(1, 80).shown)
    d:left()
    assert.equal(4, d.col)
    d:right()
    d:backspace()
    assert.equal("see ", d:text())
    d:undo()
    assert.equal("see " .. long, d:text())
    assert.is_true(d:expand_paste())
    assert.equal(121, #d.lines)
  end)

  it("takes a huge text that is set, such as an old prompt, as one mark", function()
    local long = ("0123456789\n"):rep(7000)
    local d = with("before")
    d:set(long)
    assert.equal(1, #d.lines)
    assert.equal(long, d:text())
    d:undo()
    assert.equal("before", d:text())
  end)

  it("inserts a short paste as it is, without control characters", function()
    local d = draft.new()
    d:paste("a\r\nb\27[31mc\tד")
    assert.equal("a\nbc\tד", d:text())
  end)

  it("marks a long line by its characters", function()
    local d = draft.new()
    d:paste(("é"):rep(1001))
    assert.equal("[paste #1: 1001 characters]", d:get_rows(1, 80).shown)
  end)

  it("takes 5 MB in linear time, expanded too", function()
    local big = ("some line of text\n"):rep(300000)
    local d = draft.new()
    local before = os.clock()
    d:paste(big)
    d:expand_paste()
    for _ = 1, 100 do
      d:insert("x")
    end
    assert.equal(#big + 100, #d:text())
    assert.is_true(os.clock() - before < 4)
  end)

  it("any edits taken back and done again give the same texts", function()
    math.randomseed(5)
    local methods = {
      "backspace",
      "delete",
      "newline",
      "left",
      "right",
      "word_left",
      "word_right",
      "home",
      "to_end",
      "kill_to_end",
      "kill_word_left",
      "kill_word_right",
      "yank",
      "transpose",
    }
    for _ = 1, 50 do
      local d = draft.new()
      for _ = 1, 80 do
        if math.random(2) == 1 then
          d:insert(({ "a", " ", "中", "\n", "e\u{301}" })[math.random(5)])
        else
          d[methods[math.random(#methods)]](d)
        end
        local line = d.lines[d.row]
        assert.is_true(d.col >= 0 and d.col <= #line)
        assert.is_truthy(utf8.len(line:sub(1, d.col)))
      end
      local last = d:text()
      repeat
      until not d:undo()
      assert.equal("", d:text())
      repeat
      until not d:redo()
      assert.equal(last, d:text())
    end
  end)
end)
