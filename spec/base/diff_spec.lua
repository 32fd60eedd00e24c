-- Diffs: what changed line by line, as a unified diff, and the passage most like a given one.

local diff = require("panto.base.diff")

-- Applies a list of diff lines to nothing: gives back both texts.
local function both_texts(entries)
  local old, new = {}, {}
  for _, entry in ipairs(entries) do
    local line = entry.text .. (entry.unended and "" or "\n")
    if entry.op ~= "+" then
      old[#old + 1] = line
      assert.equal(#old, entry.old_line)
    end
    if entry.op ~= "-" then
      new[#new + 1] = line
      assert.equal(#new, entry.new_line)
    end
  end
  return table.concat(old), table.concat(new)
end

local function numbered(first, last)
  local lines = {}
  for number = first, last do
    lines[#lines + 1] = "line " .. number .. "\n"
  end
  return table.concat(lines)
end

local function split(text)
  local lines = {}
  for line in text:gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line
  end
  return lines
end

describe("diff.lines", function()
  it("gives both texts back, with few changes, for random edits", function()
    math.randomseed(3)
    for _ = 1, 500 do
      local function random_lines()
        local lines = {}
        for index = 1, math.random(0, 12) do
          lines[index] = ("abc"):sub(math.random(3), 3) .. (math.random(9) == 1 and "\r\n" or "\n")
        end
        return table.concat(lines) .. (math.random(3) == 1 and "end" or "")
      end
      local old, new = random_lines(), random_lines()
      local back_old, back_new = both_texts(diff.lines(old, new))
      assert.equal(old, back_old)
      assert.equal(new, back_new)
    end
  end)

  it("finds the fewest changes", function()
    local ops = {}
    for index, entry in ipairs(diff.lines("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n")) do
      ops[index] = entry.op
    end
    assert.equal(5, select(2, table.concat(ops):gsub("[+-]", "")))
  end)

  it("replaces the whole middle when too much differs, in bounded time", function()
    local started = os.clock()
    local old, new =
      "head\n" .. numbered(1, 20000) .. "tail\n", "head\n" .. numbered(30001, 50000) .. "tail\n"
    local entries = diff.lines(old, new)
    assert.equal(40002, #entries)
    assert.equal("-", entries[2].op)
    assert.equal("+", entries[20002].op)
    assert.is_true(os.clock() - started < 20)
  end)
end)

describe("diff.unified", function()
  it("shows a change with its context", function()
    local new = numbered(1, 9) .. "new\n" .. numbered(11, 20)
    assert.equal(
      "--- a/x.lua\n+++ b/x.lua\n@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n",
      diff.unified(numbered(1, 20), new, { context = 2, path = "x.lua" })
    )
  end)

  it("joins changes whose context touches and parts the others", function()
    local function changed(second)
      return (
        numbered(1, 40):gsub("line 5\n", "five\n"):gsub("line " .. second .. "\n", "second\n")
      )
    end
    local function hunks(second)
      return select(2, diff.unified(numbered(1, 40), changed(second)):gsub("@@ [^\n]+ @@", ""))
    end
    assert.equal(1, hunks(14))
    assert.equal(2, hunks(15))
  end)

  it("is empty when nothing changed", function()
    assert.equal("", diff.unified("a\n", "a\n", { path = "x" }))
    assert.equal("", diff.unified("", ""))
  end)

  it("says where nothing was before or is after", function()
    assert.equal("@@ -0,0 +1,2 @@\n+a\n+b\n", diff.unified("", "a\nb\n"))
    assert.equal("@@ -1 +0,0 @@\n-a\n", diff.unified("a\n", ""))
    assert.equal("@@ -2,0 +3 @@\n+c\n", diff.unified("a\nb\n", "a\nb\nc\n", { context = 0 }))
  end)

  it("marks a missing last line feed", function()
    assert.equal(
      "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
      diff.unified("a\nb", "a\nb\n")
    )
  end)
end)

describe("diff.nearest", function()
  local text = split(table.concat({
    "local function add(a, b)",
    "  return a + b",
    "end",
    "",
    "local function sub(a, b)",
    "  return a - b",
    "end",
    "",
    "local function multiply(first, second)",
    "  local product = first * second",
    "  return product",
    "end",
    "",
  }, "\n"))

  it("finds an exact passage", function()
    local start, ratio = diff.nearest(text, { "local function sub(a, b)", "  return a - b", "end" })
    assert.equal(5, start)
    assert.equal(1, ratio)
  end)

  it("finds a passage with other names and another indentation", function()
    local start, ratio = diff.nearest(
      text,
      { "local function multiply(one, second)", "\tlocal product = one * second" }
    )
    assert.equal(9, start)
    assert.is_true(ratio > 0.6 and ratio < 1)
  end)

  it("finds a passage by its letters when no word is shared", function()
    assert.equal(11, (diff.nearest(text, { "retrun prodduct" })))
  end)

  it("finds a passage longer than the text", function()
    assert.equal(1, (diff.nearest({ "one", "two" }, { "one", "two", "three" })))
  end)

  it("finds nothing in nothing and where nothing is alike", function()
    assert.same({ nil, 0 }, { diff.nearest({}, { "a" }) })
    assert.same({ nil, 0 }, { diff.nearest({ "a" }, {}) })
    assert.same({ nil, 0 }, { diff.nearest({ "abc" }, { "xyz" }) })
  end)

  it("looks through a long file in bounded time", function()
    local lines, started = {}, os.clock()
    for index = 1, 50000 do
      lines[index] = ("  local value_%d = compute(%d, other_%d)"):format(
        index,
        index * 7,
        index % 10
      )
    end
    local start = diff.nearest(
      lines,
      { "local value_40000 = compute(280000, other_1)", "local value_40001 = compute(1, 2)" }
    )
    assert.equal(40000, start)
    assert.is_true(os.clock() - started < 30)
  end)

  it("shows a change in the middle of many lines as it shows one among few", function()
    local many, few = {}, {}
    for i = 1, 50000 do
      many[i] = ("line %d of a file that is long"):format(i)
    end
    local old = table.concat(many, "\n") .. "\n"
    for i = 24990, 25010 do
      few[#few + 1] = many[i]
    end
    local small_old = table.concat(few, "\n") .. "\n"
    many[25000], few[11] = "changed", "changed"
    local new = table.concat(many, "\n") .. "\n"
    local told = diff.unified(old, new)
    local small = diff.unified(small_old, table.concat(few, "\n") .. "\n")
    assert.matches("^@@ %-24996,9 %+24996,9 @@\n", told)
    assert.equal(small:match("\n.*"), told:match("\n.*"))
    local middle, _, skipped = require("panto.base.diff_ends").cut(old, new, 4)
    assert.is_true(#middle < 1000, #middle)
    assert.equal(24995, skipped)
  end)
end)

describe("diff.ratio", function()
  it("is 1 for the same, 0 for the unlike, between for the alike", function()
    assert.equal(1, diff.ratio("abc", "abc"))
    assert.equal(1, diff.ratio("", ""))
    assert.equal(0, diff.ratio("abc", "xyz"))
    assert.equal(0, diff.ratio("a", "b"))
    local ratio = diff.ratio("hello world", "hello word")
    assert.is_true(ratio > 0.8 and ratio < 1)
    assert.equal(ratio, diff.ratio("hello word", "hello world"))
  end)
end)
