local text = require("panto.sys.text")

-- Terminals differ on some of these; a screen is right on all of them as no line counts on them.
local WIDTHS = {
  { "an emoji", "\u{1F600}", 2 },
  { "a family of joined emoji", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 2 },
  { "a Chinese character", "\u{4E2D}", 2 },
  { "a letter and its accent", "e\u{301}", 1 },
  { "a heart in emoji style", "\u{2764}\u{FE0F}", 2 },
  { "a flag", "\u{1F1E9}\u{1F1EA}", 2 },
  { "a thumb with a skin tone", "\u{1F44D}\u{1F3FD}", 2 },
}

describe("sys.text gives columns to", function()
  for _, row in ipairs(WIDTHS) do
    it(row[1], function()
      assert.equal(row[3], text.width(row[2]))
      assert.equal(row[3] + 2, text.width("a" .. row[2] .. "b"))
      assert.equal("a", (text.cut("a" .. row[2] .. "b", row[3])))
    end)
  end
end)

describe("sys.text", function()
  it("measures clusters, not code points, and no escape sequences", function()
    assert.equal(5, text.width("hello"))
    assert.equal(4, text.width("中文"))
    assert.equal(1, text.width("e\u{301}"))
    assert.equal(2, text.width("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"))
    assert.equal(2, text.width("\u{1F1E9}\u{1F1EA}"))
    assert.equal(3, text.width("\27[1;31mred\27[0m"))
  end)

  it("keeps a mark with the ASCII letter before it", function()
    local pieces = {}
    for piece, cols in text.graphemes("xe\u{301}y") do
      pieces[#pieces + 1] = piece .. cols
    end
    assert.same({ "x1", "e\u{301}1", "y1" }, pieces)
  end)

  it("survives bytes that are no UTF-8", function()
    assert.equal(3, text.width("a\255b"))
    assert.equal("a\255", (text.cut("a\255b", 2)))
  end)

  it("wraps at words, parts a long word, and drops the spaces of a break", function()
    assert.same({ "hello", "world this", "is" }, text.wrap("hello world this is", 10))
    assert.same({ "abcde", "fgh i" }, text.wrap("abcdefgh i", 5))
    assert.same({ "a", "", "b" }, text.wrap("a\n\nb", 5))
    assert.same({ "" }, text.wrap("", 5))
  end)

  it("parts wide text between any two characters, never over the width", function()
    assert.same({ "中文", "字符" }, text.wrap("中文字符", 5))
  end)

  it("goes on with a style over a break and closes it at each end", function()
    local lines = text.wrap("\27[31mred text\27[0m off", 4)
    assert.same({ "\27[31mred\27[0m", "\27[31mtext\27[0m", "off" }, lines)
  end)

  it("cuts at a column, never inside a cluster, and closes the style", function()
    local cut, cols = text.cut("a中b", 2)
    assert.equal("a", cut)
    assert.equal(1, cols)
    assert.equal("\27[31mab\27[0m", (text.cut("\27[31mabc", 2)))
  end)

  it("wraps plain and styled text alike", function()
    math.randomseed(11)
    local letters = { " ", " ", "a", "b", "-" }
    for _ = 1, 2000 do
      local parts = {}
      for index = 1, math.random(0, 30) do
        parts[index] = letters[math.random(#letters)]
      end
      local line, cols = table.concat(parts), math.random(1, 9)
      local starts, stops = text.spans(line, cols)
      local styled_starts = text.spans(line .. "\27[0m", cols)
      assert.same(starts, styled_starts)
      for row = 1, #starts do
        assert.is_true(stops[row] - starts[row] + 1 <= cols)
      end
    end
  end)
end)

describe("sys.text short cuts", function()
  it("measures the same with them as cluster by cluster", function()
    math.randomseed(7)
    local pieces = {
      "a",
      " ",
      "é",
      "·",
      "®",
      "ÿ",
      "À",
      "\u{AD}",
      "\u{A0}",
      "–",
      "›",
      "…",
      "│",
      "─",
      "⠙",
      "●",
      "中",
      "e\u{301}",
      "─\u{301}",
      "\27[1m",
      "\27[0m",
      "\27]8;;https://a.b/\27\\",
      "\27]8;;\27\\",
      "👩‍👩‍👧",
      "\u{2028}",
      "\u{200B}",
    }
    for _ = 1, 500 do
      local list = {}
      for index = 1, math.random(12) do
        list[index] = pieces[math.random(#pieces)]
      end
      local s, total = table.concat(list), 0
      for _, cols in text.graphemes(s) do
        total = total + cols
      end
      assert.equal(total, text.width(s), ("%q"):format(s))
      local cut, columns = text.cut(s, total)
      assert.equal(s, cut)
      assert.equal(total, columns)
    end
  end)
end)
