require("bare_host")
local html_markdown = require("panto.session.html_markdown")

local function flat(text)
  return (html_markdown.write(text):gsub("\n", ""))
end

describe("Markdown in an exported page", function()
  it("has headings, paragraphs, code and lists", function()
    assert.equal("<h2>A</h2><p>one<br>two</p><p>three</p>", flat("# A\none\ntwo\n\nthree"))
    assert.equal("<pre><code>a &lt;b&gt;  c</code></pre>", flat("```lua\na <b>\n  c\n```"))
    assert.equal("<ul><li>a</li><li>b</li></ul><p>c</p>", flat("- a\n- b\nc"))
    local nested = '<ol><li>a</li><li style="margin-left: 1em">b</li><li>c</li></ol>'
    assert.equal(nested, flat("1. a\n  - b\n2. c"))
  end)

  it("has tables and quotes", function()
    local head = "<table><tr><th>a</th><th>b</th></tr>"
    assert.equal(
      head .. "<tr><td><code>x</code></td><td>1</td></tr></table><p>after</p>",
      flat("| a | b |\n|---|:-:|\n| `x` | 1 |\n\nafter")
    )
    assert.equal("<p>a | b</p><p>c</p>", flat("a | b\n\nc"))
    assert.equal("<blockquote>said</blockquote>", flat("> said"))
  end)

  it("has emphasis and links of the web, and nothing that could run", function()
    assert.equal("<p><strong>a</strong> <em>b</em> 2*3*4</p>", flat("**a** *b* 2*3*4"))
    assert.equal('<p><a href="https://a.b/c_d">x</a></p>', flat("[x](https://a.b/c_d)"))
    for _, text in ipairs({
      "[x](javascript:alert(1))",
      "<script>alert(1)</script>",
      '[x](https://a" onclick="alert(1))',
    }) do
      local made = flat(text)
      assert.is_nil(made:find("<script", 1, true))
      assert.is_nil(made:find("href", 1, true))
      assert.is_nil(made:find('"', 1, true))
    end
  end)
end)
