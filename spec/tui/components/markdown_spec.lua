local markdown = require("panto.tui.components.markdown")
local style = require("panto.tui.style")
local text = require("panto.sys.text")

local none = style.new({ depth = "none" })

local function render(source, width, theme)
  return markdown.new({ theme = theme or none, text = source }):render(width or 60)
end

local PIECES = {
  "# Heading with `code`\n",
  "## 中文标题\n\n",
  "plain words that go on and on until they have to be wrapped somewhere near the edge",
  " **bold** and *emphasis* and ***both***",
  " **never closed ",
  " `code span` and ``a ` b`` ",
  " `open ",
  "[a link](https://example.com/a_b?c=1) ",
  "[half ](",
  " https://bare.example.com/path.",
  "\n",
  "\n",
  "\n\n",
  "- item one\n",
  "- [x] done\n",
  "  - nested item with a lot of words in it\n",
  "1. first\n2. second\n",
  "   more of the item\n",
  "> a quote\n",
  "> > deeper\n",
  "```lua\nlocal x = 'string' -- comment\n",
  "```\n",
  "~~~\n",
  '"""open\n',
  "| a | b |\n|---|--:|\n",
  "| one | two `x|y` |\n",
  "| long long long long cell | 中文字 | more |\n",
  "---\n",
  "title\n===\n",
  "snake_case_word 2*3*4 ",
  "👩‍👩‍👧 é 🇩🇪 中文字 naïve — → ",
  "e\u{301}\u{301}\u{301}",
  "tab\there ",
  "\27[31mred\27[0m\27]0;title\7 ",
  "&amp; \\* <https://a.b/c> <br> ",
  ("x"):rep(300),
  ("word "):rep(90),
}

local function random_text()
  local list = {}
  for index = 1, math.random(2, 24) do
    list[index] = PIECES[math.random(#PIECES)]
  end
  return table.concat(list)
end

-- Feeds a text in random pieces and takes what is settled now and then; returns all rows.
local function stream(source, width, most)
  local component, rows, i = markdown.new({ theme = none }), {}, 1
  while i <= #source do
    local count = math.random(most)
    component:add(source:sub(i, i + count - 1))
    i = i + count
    if math.random(3) == 1 then
      component:render(width)
    end
    if math.random(3) == 1 then
      local settled = component:settled(width)
      local taken = component:take(width)
      assert.equal(settled, #taken)
      table.move(taken, 1, #taken, #rows + 1, rows)
    end
  end
  component:finish()
  local taken = component:take(width)
  table.move(taken, 1, #taken, #rows + 1, rows)
  assert.is_true(component:is_empty())
  return rows
end

describe("tui.components.markdown", function()
  it("gives the same rows in whatever pieces the text comes and is taken", function()
    for seed = 1, 60 do
      math.randomseed(seed)
      local source, width = random_text(), math.random(8, 70)
      local whole = render(source, width)
      assert.same(whole, stream(source, width, math.random(2) == 1 and 9 or 200), "seed " .. seed)
    end
  end)

  it("lets no row be wider than the window and no escape sequence through", function()
    for seed = 1, 60 do
      math.randomseed(seed)
      local width = math.random(3, 60)
      for _, row in ipairs(render(random_text(), width)) do
        assert.is_true(text.width(row) <= width, ("seed %d: %q"):format(seed, row))
        assert.is_nil(row:find("\27"), ("seed %d: %q"):format(seed, row))
      end
    end
  end)

  it("settles a paragraph without an end", function()
    local component, count = markdown.new({ theme = none }), 0
    for _ = 1, 2000 do
      component:add("some words ")
      count = count + #component:take(40)
    end
    assert.is_true(count > 500)
    assert.is_true(#component:render(40) < 110)
  end)

  it("draws blocks of every kind", function()
    local source =
      "# T\na\n\n- b\n  - c\n1. d\n\n> q\n\n```sh\nls\n```\nx\n\n|h|i|\n|-|-:|\n|1|22|\n\n***\n"
    assert.same({
      "# T",
      "a",
      "",
      "• b",
      "  • c",
      "1. d",
      "",
      "│ q",
      "",
      "  ls",
      "",
      "x",
      "",
      "h │  i",
      "──┼───",
      "1 │ 22",
      "",
      "───",
    }, render(source))
  end)

  it("shows emphasis, code and links by their styles and addresses behind their labels", function()
    local theme = style.new({ depth = "16" })
    local row = render("a **b** `c` [d](https://e.f/)", 60, theme)[1]
    local bold, code = theme:paint("strong", "b"), theme:paint("code", "c")
    local link, address = theme:paint("link", "d"), theme:paint("muted", " (https://e.f/)")
    assert.equal("a " .. bold .. " " .. code .. " " .. link .. address, row)
    theme = style.new({ depth = "16", has_links = true })
    row = render("[d](https://e.f/)", 60, theme)[1]
    assert.equal("\27]8;;https://e.f/\27\\" .. theme:paint("link", "d") .. "\27]8;;\27\\", row)
  end)

  it("makes no link of an address that could do more than open a page", function()
    local theme = style.new({ depth = "16", has_links = true })
    for _, address in ipairs({ "javascript:alert(1)", "data:x", "src/a.lua" }) do
      local row = render("[d](" .. address .. ")", 60, theme)[1]
      assert.is_nil(row:find("\27]8", 1, true))
      assert.is_truthy(row:find(address, 1, true))
    end
  end)

  it("colours code and keeps an open comment over its lines", function()
    local theme = style.new({ depth = "16" })
    local rows = render("```c\n/* a\nb */ int x = 1;\n```", 60, theme)
    assert.equal("  " .. theme:paint("code_comment", "/* a"), rows[1])
    assert.is_truthy(rows[2]:find(theme:paint("code_comment", "b */"), 1, true))
    assert.is_truthy(rows[2]:find(theme:paint("code_keyword", "int"), 1, true))
  end)
end)
