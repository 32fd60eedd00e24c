local edit = require("std.edit")
local panto = require("panto")
local uv = require("luv")

local folder

local function put(bytes)
  assert(panto.fs.write(folder .. "/f", bytes))
end

local function get()
  return panto.fs.read(folder .. "/f")
end

local function run(input)
  input.path = input.path or "f"
  return edit.handler(input, { cwd = folder })
end

local function change(old_text, new_text, replace_all)
  return run({ edits = { { old_text = old_text, new_text = new_text, replace_all = replace_all } } })
end

describe("std.edit", function()
  before_each(function()
    folder = assert(uv.fs_mkdtemp("/tmp/panto-edit-XXXXXX"))
  end)

  after_each(function()
    panto.task.loop(function()
      panto.process.run({ file = "rm", args = { "-rf", folder } })
    end)
  end)

  it("replaces a passage and answers with a diff of 4 lines of context", function()
    put("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n")
    local answer = change("6\n", "six\n")
    assert.same("1\n2\n3\n4\n5\nsix\n7\n8\n9\n10\n11\n", get())
    assert.matches("1 replacement in " .. folder .. "/f\n", answer.text, 1, true)
    assert.matches("\n 2\n 3\n 4\n 5\n-6\n+six\n 7\n 8\n 9\n 10\n", answer.text, 1, true)
    assert.is_string(answer.details.diff)
    assert.is_nil(answer.is_error)
  end)

  it("takes one edit's fields at the top level", function()
    put("a\nb\n")
    run({ old_text = "b", new_text = "c" })
    assert.same("a\nc\n", get())
  end)

  it("locates all edits in the original", function()
    put("a\nb\n")
    run({ edits = { { old_text = "a", new_text = "b" }, { old_text = "b", new_text = "a" } } })
    assert.same("b\na\n", get())
  end)

  it("changes nothing when one edit fails", function()
    put("a\nb\n")
    local answer = run({
      edits = { { old_text = "a", new_text = "x" }, { old_text = "zzz", new_text = "y" } },
    })
    assert.is_true(answer.is_error)
    assert.matches("^edits%[2%]: old_text was not found", answer.text)
    assert.matches("Nothing was changed%.$", answer.text)
    assert.same("a\nb\n", get())
  end)

  it("refuses edits that overlap", function()
    put("one two three\n")
    local answer = run({
      edits = {
        { old_text = "two three", new_text = "x" },
        { old_text = "one two", new_text = "y" },
      },
    })
    assert.matches("edits%[1%] and edits%[2%] overlap at line 1", answer.text)
    assert.same("one two three\n", get())
  end)

  it("names the lines of a passage that is not unique", function()
    put("x\na\nx\nb\nx\n")
    local answer = change("x", "y")
    assert.is_true(answer.is_error)
    assert.matches("stands 3 times in .*, at lines 1, 3, 5; ", answer.text)
    change("x", "y", true)
    assert.same("y\na\ny\nb\ny\n", get())
  end)

  it("shows the nearest passage of one that is not found, as a diff", function()
    put("function add(a, b)\n  return a + b\nend\n\nfunction sub(a, b)\n  return a - b\nend\n")
    local answer = change("function sub(a, c)\n  return a - c\n", "x")
    assert.is_true(answer.is_error)
    assert.matches("The nearest passage is lines 5%-6", answer.text)
    assert.matches("-function sub(a, c)", answer.text, 1, true)
    assert.matches("+function sub(a, b)", answer.text, 1, true)
  end)

  it("forgives line ends, trailing blanks and Unicode punctuation", function()
    put("say “hello” – now…  \nnext\t\nlast\n")
    change('say "hello" - now...\nnext\n', "done\n")
    assert.same("done\nlast\n", get())
    put("it’s “a” and “b”\n")
    change('"b"', '"c"')
    assert.same('it’s “a” and "c"\n', get())
  end)

  it("forgives trailing blanks in the old text", function()
    put("one\ntwo\n")
    change("one  \ntwo  ", "1\n2")
    assert.same("1\n2\n", get())
  end)

  it("does not take a half of a word for a passage with trailing blanks", function()
    put("foobar\n")
    assert.is_true(change("foo ", "x").is_error)
  end)

  it("forgives a constant indentation shift and re-indents the new text", function()
    put("class A\n    def f\n      x\n    end\n")
    change("def f\n  x\nend\n", "def g\n  if y\n    x\n  end\nend\n")
    assert.same("class A\n    def g\n      if y\n        x\n      end\n    end\n", get())
    put("a\n  b\n")
    change("    a\n      b\n", "    c\n      d\n")
    assert.same("c\n  d\n", get())
  end)

  it("forgives tabs against spaces", function()
    put("f() {\n\tif (x) {\n\t\ty();\n\t}\n}\n")
    change(
      "    if (x) {\n        y();\n    }",
      "    if (z) {\n        while (1)\n            y();\n    }"
    )
    assert.same("f() {\n\tif (z) {\n\t\twhile (1)\n\t\t\ty();\n\t}\n}\n", get())
    put("f() {\n  if (x) {\n    y();\n  }\n}\n")
    change("\tif (x) {\n\t\ty();\n\t}", "\tz();")
    assert.same("f() {\n  z();\n}\n", get())
  end)

  it("keeps CRLF, also in what it adds", function()
    put("one\r\ntwo\r\nthree\r\n")
    change("two\n", "2\nand a half\n")
    assert.same("one\r\n2\r\nand a half\r\nthree\r\n", get())
    change("one\r\n2", "1\r\n2")
    assert.same("1\r\n2\r\nand a half\r\nthree\r\n", get())
  end)

  it("leaves the line ends of untouched lines in a mixed file", function()
    put("a\nb\r\nc\nd\n")
    change("c", "x")
    assert.same("a\nb\r\nx\nd\n", get())
  end)

  it("keeps a byte order mark, a missing final newline and the mode", function()
    put("\xEF\xBB\xBFone\ntwo")
    uv.fs_chmod(folder .. "/f", 488)
    change("two\n", "2\n")
    assert.same("\xEF\xBB\xBFone\n2", get())
    assert.same(488, panto.fs.stat(folder .. "/f").mode)
    change("one", "1")
    assert.same("\xEF\xBB\xBF1\n2", get())
  end)

  it("keeps bytes that are not UTF-8", function()
    put("caf\xe9 one\ntwo\n")
    change("two", "2")
    assert.same("caf\xe9 one\n2\n", get())
  end)

  it("looks in a file of many like lines in a moment", function()
    put(("a\n"):rep(30000))
    local before = uv.hrtime()
    assert.matches("was not found", change(("a \n"):rep(200) .. "b", "x").text)
    assert.is_true(uv.hrtime() - before < 5e9)
  end)

  it("says what is wrong with an empty, a void and a missing edit", function()
    put("a\n")
    assert.matches("old_text is empty", change("", "x").text)
    assert.matches("are the same", change("a", "a").text)
    assert.matches("nothing to edit", run({}).text)
    assert.matches("does not exist", run({ path = "g", old_text = "a", new_text = "b" }).text)
  end)
end)
