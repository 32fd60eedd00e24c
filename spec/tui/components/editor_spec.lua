local draft = require("panto.tui.draft")
local editor = require("panto.tui.components.editor")
local history = require("panto.tui.history")
local keys = require("panto.tui.keys")
local style = require("panto.tui.style")

local function new(options)
  options = options or {}
  return editor.new({
    draft = draft.new(),
    history = history.new(options.entries),
    theme = style.new({ depth = "none" }),
    prompt = "> ",
    complete = options.complete,
  })
end

-- Sends bytes as a terminal would and returns the last action.
local function press(e, bytes)
  local decoder, action = keys.new(), nil
  local events = decoder:feed(bytes)
  for _, event in ipairs(decoder:flush()) do
    events[#events + 1] = event
  end
  for _, event in ipairs(events) do
    action = e:handle(event) or action
  end
  return action
end

describe("tui.components.editor", function()
  it("sends what was typed and is empty again", function()
    local e = new()
    assert.same({ submit = "hello" }, press(e, "hello\r"))
    assert.is_true(e.draft:is_empty())
    assert.is_nil(press(e, "  \r"))
  end)

  it("takes every way of writing a newline", function()
    local e = new()
    press(e, "a\nb\27[13;2uc\27[27;2;13~d\\\re")
    assert.equal("a\nb\nc\nd\ne", e.draft:text())
  end)

  it("gives actions for the keys that are the app's", function()
    for bytes, action in pairs({
      ["\27"] = "escape",
      ["\12"] = "model_picker",
      ["\27[109;5u"] = "model_picker",
      ["\18"] = "effort_picker",
      ["\20"] = "toggle_thinking",
      ["\15"] = "toggle_results",
      ["\7"] = "external_editor",
      ["\26"] = "suspend",
      ["\27[1;3A"] = "take_back",
      ["\27[Z"] = "shift_tab",
      ["\27r"] = "history_search",
    }) do
      assert.same({ action = action }, press(new(), bytes))
    end
    assert.same({ cancel = true }, press(new(), "\3"))
    assert.same({ follow_up = "later" }, press(new(), "later\27\r"))
  end)

  it("leaves with Ctrl+D on an empty draft only", function()
    local e = new()
    assert.same({ eof = true }, press(e, "\4"))
    assert.is_nil(press(e, "ab\1\4"))
    assert.equal("b", e.draft:text())
  end)

  it("edits with the emacs keys and the arrows", function()
    local e = new()
    press(e, "one two\1\27f\11\25\27[D\27[DX\5!\23")
    assert.equal("one ", e.draft:text())
    press(e, "\31\31")
    assert.equal("one tXwo", e.draft:text())
    press(e, "\21")
    assert.equal("", e.draft:text())
    press(e, "a b\27[1;5D\27[1;5Dz\27[1;5Cy")
    assert.equal("zay b", e.draft:text():gsub("^za y", "zay"))
  end)

  it("walks the draft's rows first, then the history, and back to the draft", function()
    local e = new({ entries = { "first", "second\nlines" } })
    e:render(20)
    press(e, "my draft")
    press(e, "\27[A")
    assert.equal("second\nlines", e.draft:text())
    press(e, "\27[A\27[A")
    assert.equal("first", e.draft:text())
    press(e, "\27[B\27[B\27[B\27[B")
    assert.equal("my draft", e.draft:text())
  end)

  it("draws a wrapped draft between rules with the cursor at its place", function()
    local e = new()
    press(e, "hello big world")
    local lines, cursor = e:render(14)
    assert.same({ ("─"):rep(14), "> hello big", "  world", ("─"):rep(14) }, lines)
    assert.same({ row = 3, col = 8 }, cursor)
  end)

  it("shows at most so many rows, those around the cursor", function()
    local e = new()
    e:set_max_rows(3)
    press(e, "1\n2\n3\n4\n5")
    local lines, cursor = e:render(20)
    assert.equal(5, #lines)
    assert.matches("↑", lines[1])
    assert.equal("  5", lines[4])
    assert.equal(4, cursor.row)
    press(e, "\27[1;5H")
    lines, cursor = e:render(20)
    assert.same({ "> 1", 2 }, { lines[2], cursor.row })
    assert.matches("↓", lines[5])
  end)

  it("inserts a paste as one run and shows a long one as a mark", function()
    local e = new()
    press(e, "\27[200~a\rb\27[201~")
    assert.equal("a\nb", e.draft:text())
    press(e, "\21\21\21\27[200~" .. ("x\r"):rep(50) .. "\27[201~")
    assert.equal("> [paste #1: 50 lines]", e:render(60)[2])
    assert.same({ submit = ("x\n"):rep(50) }, press(e, "\r"))
  end)

  it(
    "shows each change of draft, cursor, width, height and colours in the next rendering",
    function()
      local e = new()
      e.theme = style.new({ depth = "16" })
      local seen = {}
      local function differs()
        local lines, cursor = e:render(e.width)
        local shown = ("%s@%d:%d"):format(table.concat(lines, "\n"), cursor.row, cursor.col)
        local again = e:render(e.width)
        again[1] = "a caller's own"
        assert.is_nil(seen[shown])
        seen[shown] = true
        lines, cursor = e:render(e.width)
        assert.equal(shown, ("%s@%d:%d"):format(table.concat(lines, "\n"), cursor.row, cursor.col))
      end
      differs()
      press(e, "one\ntwo")
      differs()
      press(e, "\27[D")
      differs()
      press(e, "\31") -- undo
      differs()
      e.width = 40
      differs()
      e.draft:set(("line\n"):rep(20))
      differs()
      e:set_max_rows(3)
      differs()
      e.theme:set_background(1, 1, 1)
      differs()
      e.draft:reset()
      differs()
    end
  )

  it("inserts a tab where nothing completes, and offers what does", function()
    local e = new({
      complete = function(line, col, is_asked)
        local word = line:sub(1, col):match("^/%a*$")
        local items = {}
        for _, name in ipairs({ "/compact", "/clear", "/lua" }) do
          if word and name:sub(1, #word) == word and (is_asked or #word > 0) then
            items[#items + 1] = { label = name }
          end
        end
        return { start = 0, items = items }
      end,
    })
    press(e, "/c")
    assert.equal(5, #e:render(40))
    press(e, "\27[B\t")
    assert.equal("/clear", e.draft:text())
    press(e, "\21/l\t")
    assert.equal("/lua", e.draft:text())
    assert.same({ submit = "/lua" }, press(e, "\r"))
    press(e, "x\t")
    assert.equal("x\t", e.draft:text())
  end)

  it("goes on completing in a folder, and offers what is found later", function()
    local known = {}
    local e = new({
      complete = function(line, col)
        local start, word = line:sub(1, col):match("()@(%S*)$")
        local items = {}
        for _, name in ipairs(known) do
          if start and name:sub(1, #word) == word and name ~= word then
            items[#items + 1] = { label = name, value = "@" .. name, goes_on = name:sub(-1) == "/" }
          end
        end
        return start and { start = start - 1, items = items }
      end,
    })
    press(e, "see @s")
    assert.is_nil(e.list)
    known = { "src/", "src/a.lua" }
    e:refresh()
    assert.equal(2, #e.list.items)
    press(e, "\t")
    assert.equal("see @src/", e.draft:text())
    press(e, "\t")
    assert.equal("see @src/a.lua", e.draft:text())
    e:refresh()
    assert.is_nil(e.list)
    press(e, " @s")
    press(e, "\27")
    e:refresh() -- what was put away stays away
    assert.is_nil(e.list)
  end)

  it("goes a page of rows up and down", function()
    local e = new()
    press(e, "a\27[13;2u" .. ("b\27[13;2u"):rep(20))
    press(e, "\27[5~")
    assert.equal(10, e.draft.row)
    press(e, "\27[6~\27[6~")
    assert.equal(22, e.draft.row)
  end)

  it("keeps every line within any width", function()
    math.randomseed(9)
    for _ = 1, 60 do
      local e = new()
      for _ = 1, 30 do
        press(
          e,
          ({ "word ", "中文", "\n", "\t", "longlonglongword", "e\u{301}" })[math.random(6)]
        )
      end
      local text = require("panto.sys.text")
      local width = math.random(8, 40)
      local lines, cursor = e:render(width)
      for _, line in ipairs(lines) do
        assert.is_true(text.width(line) <= width)
      end
      assert.is_true(cursor.row <= #lines and cursor.col <= width)
    end
  end)
end)
