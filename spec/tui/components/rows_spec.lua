local box = require("panto.tui.components.box")
local footer = require("panto.tui.components.footer")
local notice = require("panto.tui.components.notice")
local select_list = require("panto.tui.components.select_list")
local spinner = require("panto.tui.components.spinner")
local style = require("panto.tui.style")
local text_component = require("panto.tui.components.text")
local thinking = require("panto.tui.components.thinking")
local tool_row = require("panto.tui.components.tool_row")
local user_text = require("panto.tui.components.user_text")

local theme = style.new({ depth = "none" })

local function key(name, text)
  return { type = "key", key = name, text = text }
end

describe("tui.components.text", function()
  it("gives the same lines in whatever pieces the text comes and is taken", function()
    math.randomseed(4)
    local text =
      "some words that wrap 中文字符 and more\n\n  indented line here\nlast longlonglongword é"
    local whole = text_component.new({ text = text }):render(11)
    for _ = 1, 200 do
      local c, got, i = text_component.new(), {}, 1
      while i <= #text do
        local count = math.random(9)
        c:add(text:sub(i, i + count - 1))
        i = i + count
        if math.random(2) == 1 then
          local settled = c:settled(11)
          local lines = c:take(11)
          assert.equal(settled, #lines)
          table.move(lines, 1, #lines, #got + 1, got)
        end
      end
      c:finish()
      table.move(c:take(11), 1, 99, #got + 1, got)
      assert.same(whole, got)
      assert.is_true(c:is_empty())
    end
  end)

  it("wraps what was not taken anew at another width", function()
    local c = text_component.new()
    c:add("aaa bbb ccc ddd")
    assert.same({ "aaa bbb" }, c:take(7))
    assert.same({ "ccc", "ddd" }, c:render(4))
    assert.same({ "ccc ddd" }, c:render(20))
  end)

  it("lets no escape sequence of the text through", function()
    local c = text_component.new()
    c:add("a\27[3")
    c:add("1mb\27]0;t")
    c:add("itle\7c")
    assert.same({ "abc" }, c:render(20))
  end)
end)

describe("tui.components.tool_row", function()
  it("shows its title and the last lines of its output while it runs", function()
    local row = tool_row.new({ theme = theme, name = "std.shell", input = { command = "make" } })
    for index = 1, 100 do
      row:add_output("line " .. index .. "\n")
    end
    local lines = row:render(40)
    assert.equal("● std.shell make", lines[1])
    assert.equal("  line 91", lines[2])
    assert.equal(11, #lines)
    assert.equal(0, row:settled(40))
  end)

  it("folds its result and shows all of it when asked", function()
    local row =
      tool_row.new({ theme = theme, name = "std.read", input = { path = "a.lua", limit = 9 } })
    row:finish({ output = ("x\n"):rep(20) })
    local lines = row:render(60)
    assert.equal("● std.read a.lua limit=9", lines[1])
    assert.equal(7, #lines)
    assert.equal("  … 15 more lines (ctrl+o shows them)", lines[7])
    assert.equal(7, row:settled(60))
    row:set_expanded(true)
    assert.equal(21, #row:render(60))
  end)

  it("shows the end of a command's output and how it ended in its title", function()
    local row = tool_row.new({ theme = theme, name = "std.shell", input = { command = "make" } })
    row:finish({ output = ("x\n"):rep(9) .. "last\n\n[exit code 3]", is_error = false })
    local lines = row:render(60)
    assert.equal("● std.shell make · exit 3", lines[1])
    assert.equal("  … 5 earlier lines (ctrl+o shows them)", lines[2])
    assert.equal("  last", lines[#lines])
    assert.is_true(row:is_folded())
    row:finish({ output = "fine\n\n[exit code 0]" })
    assert.same({ "● std.shell make", "  fine" }, row:render(60))
    assert.is_false(row:is_folded())
  end)

  it("shows what was written, and paths relative to the folder", function()
    local input = { path = "/home/me/a.lua", content = "one\ntwo\n" }
    local row = tool_row.new({ theme = theme, name = "std.write", input = input, cwd = "/home/me" })
    row:finish({ output = "created /home/me/a.lua (2 lines)" })
    assert.same({ "● std.write a.lua · created, 2 lines", "  one", "  two" }, row:render(60))
  end)

  it("cuts folded lines with a mark and wraps those of an error", function()
    local row = tool_row.new({ theme = theme, name = "x" })
    row:finish({ output = "some words that are long" })
    assert.equal("  some words tha…", row:render(17)[2])
    assert.is_true(row:is_folded())
    row:finish({ output = "some words that are long", is_error = true })
    assert.same({ "  some words that", "  are long" }, { table.unpack(row:render(17), 2) })
  end)

  it("marks the words in which a changed line differs", function()
    local colours = style.new({ depth = "16" })
    local row = tool_row.new({ theme = colours, name = "std.edit" })
    local diff = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-local a = one\n+local a = two\n"
    row:finish({ output = "done", details = { diff = diff } })
    local lines = row:render(60)
    assert.equal(4, #lines)
    assert.is_truthy(lines[3]:find(colours:paint("removed_word", "one"), 1, true))
    assert.is_truthy(lines[4]:find(colours:paint("added_word", "two"), 1, true))
  end)

  it("colours a diff and an error", function()
    local colours = style.new({ depth = "16" })
    local row = tool_row.new({ theme = colours, name = "std.edit" })
    row:finish({ output = "done", diff = "@@ -1 +1 @@\n-old\n+new" })
    local lines = row:render(60)
    assert.equal("  " .. colours:paint("removed", "-old"), lines[3])
    assert.equal("  " .. colours:paint("added", "+new"), lines[4])
    row = tool_row.new({ theme = colours, name = "std.edit" })
    row:finish({ output = "no such file", is_error = true })
    assert.equal("  " .. colours:paint("error", "no such file"), row:render(60)[2])
  end)

  it("hides no part of a call behind control characters", function()
    local input = { command = "rm -rf ~\recho hello\27[2K" }
    local row = tool_row.new({ theme = theme, name = "std.shell", input = input })
    assert.equal("● std.shell rm -rf ~␍echo hello␛[2K", row:render(60)[1])
    local confirm = select_list.new({
      theme = theme,
      title = "Run this?\n" .. ("long "):rep(20) .. "\rend",
      items = { { label = "Yes\rNo" } },
      has_filter = false,
    })
    local shown = table.concat(confirm:render(30), "\n")
    assert.is_truthy(shown:find("␍end", 1, true) and shown:find("Yes␍No", 1, true))
    local said = text_component.new({ text = "one\rtwo\r\nthree" })
    assert.same({ "one", "two", "three" }, said:render(30))
  end)

  it("keeps little of an endless output and shows a progress line once", function()
    local row = tool_row.new({ theme = theme, name = "x" })
    for index = 1, 3000 do
      row:add_output("\r" .. index .. "% " .. ("#"):rep(30))
    end
    assert.is_true(#row.tail <= 8192)
    local lines = row:render(60)
    assert.same({ "● x", "  3000% " .. ("#"):rep(30) }, lines)
  end)
end)

describe("tui.components, the small ones", function()
  it("draws a footer anew when its pieces, the width or the colours change", function()
    local colours = style.new({ depth = "true" })
    local f = footer.new({ theme = colours, left = { "one" }, right = { "two" } })
    local first = f:render(40)[1]
    assert.equal(first, f:render(40)[1])
    local narrow = f:render(30)[1]
    assert.is_true(#narrow < #first)
    colours:set_background(1, 1, 1)
    local light = f:render(30)[1]
    assert.is_true(light ~= narrow)
    f:set({ "three" }, {})
    assert.truthy(f:render(30)[1]:find("three", 1, true))
  end)

  it("drops the least important pieces of a footer when it is narrow", function()
    local f = footer.new({
      theme = theme,
      left = { { text = "~/project", priority = 9 }, { text = "main", priority = 3 } },
      right = { { text = "opus", priority = 8 }, { text = "$0.12", priority = 5 } },
    })
    assert.equal("~/project · main            opus · $0.12", f:render(40)[1])
    assert.equal("~/project  opus · $0.12", f:render(23)[1])
    assert.equal("~/project   opus", f:render(16)[1])
    assert.equal("~/proj", f:render(6)[1])
  end)

  it("shows thinking as one line, then how long it was, or all of it", function()
    local t = thinking.new({ theme = theme })
    t:add("first thought\nsecond ")
    t:add("thought")
    assert.same({ "∴ Thinking… second thought" }, t:render(60))
    assert.equal(0, t:settled(60))
    t:finish()
    assert.equal("∴ Thought · 2 lines (ctrl+t shows it)", t:render(60)[1])
    t:set_expanded(true)
    assert.same({ "∴ Thinking", "  first thought", "  second thought" }, t:render(60))
  end)

  it("marks what the user said and what panto has to say", function()
    for _, huge in ipairs({ "first" .. ("é"):rep(2500000) .. "last\n", ("a line\n"):rep(900000) }) do
      local started = os.clock()
      local rows = user_text.new({ text = huge, theme = theme }):render(100)
      assert.is_true(#rows < 40 and os.clock() - started < 0.5)
      local shown = table.concat(rows, "\n")
      assert.is_truthy(utf8.len(shown))
      assert.is_truthy(shown:find("… [56].%d MB more …"))
    end
    local said = user_text.new({ text = "hello big\nworld\n", theme = theme })
    assert.same({ "› hello", "  big", "  world" }, said:render(8))
    local told = notice.new({ text = "it broke\27[2J", theme = theme, level = "error" })
    assert.same({ "✗ it broke" }, told:render(40))
  end)

  it("spins only while there is something to wait for", function()
    local s = spinner.new({ theme = theme })
    assert.same({}, s:render(40))
    s:set("working", "esc to stop")
    s:tick(12.7)
    assert.same({ "⠙ working · 12s · esc to stop" }, s:render(40))
  end)

  it("filters a list as one types and gives what was chosen", function()
    local list = select_list.new({
      theme = theme,
      title = "Model",
      items = { { label = "sonnet" }, { label = "opus", value = 7 }, { label = "gpt" } },
    })
    assert.equal("› sonnet", list:render(40)[3])
    list:handle(key("p", "p"))
    assert.same({ "Model", "> p", "› opus", "  gpt" }, list:render(40))
    list:handle(key("down"))
    assert.equal("gpt", list:handle(key("enter")).chosen)
    list:handle(key("up"))
    assert.equal(7, list:handle(key("enter")).chosen)
    assert.same({ cancel = true }, list:handle(key("escape")))
  end)

  it("gives a choice the whole width, half of it when it is described", function()
    local long = ("x"):rep(60)
    local items = { { label = long }, { label = long, description = "another" }, { label = "a" } }
    local lines = select_list.new({ theme = theme, items = items, has_filter = false }):render(40)
    assert.equal(40, #(lines[1]:gsub("…", "."):gsub("›", ">")))
    assert.equal("  " .. ("x"):rep(20) .. "  another", lines[2])
    assert.equal("  a", lines[3])
  end)

  it("draws a box with its title and moves the cursor with it", function()
    local list = select_list.new({ theme = theme, items = { { label = "a" } } })
    local lines, cursor = box.new({ theme = theme, child = list, title = "Pick" }):render(12)
    assert.equal("── Pick ────", lines[1])
    assert.equal("────────────", lines[4])
    assert.same({ row = 2, col = 3 }, cursor)
  end)
end)
