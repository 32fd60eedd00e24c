local container = require("panto.tui.container")
local history = require("panto.tui.history")
local plain = require("panto.tui.plain")
local style = require("panto.tui.style")

describe("tui.style", function()
  it("draws no colour without colours, and each depth in its own way", function()
    assert.equal("x", style.new({ depth = "none" }):paint("error", "x"))
    assert.equal("\27[91mx\27[0m", style.new({ depth = "16" }):paint("error", "x"))
    assert.matches("38;5;", style.new({ depth = "256" }):get("error"))
    assert.matches("38;2;", style.new({ depth = "true" }):get("error"))
  end)

  it("reads the depth from the environment", function()
    local function depth(env)
      return style.depth(function(name)
        return env[name]
      end)
    end
    assert.equal("none", depth({ NO_COLOR = "1", COLORTERM = "truecolor" }))
    assert.equal("true", depth({ COLORTERM = "truecolor", TERM = "xterm" }))
    assert.equal("256", depth({ TERM = "xterm-256color" }))
    assert.equal("16", depth({ TERM = "xterm" }))
    assert.equal("none", depth({ TERM = "dumb" }))
  end)

  it("goes on with a style after what is styled inside", function()
    local theme = style.new({ depth = "16" })
    local start = theme:get("muted")
    local painted = theme:paint("muted", "a" .. theme:paint("error", "b") .. "c")
    assert.equal(start .. "a\27[91mb\27[0m" .. start .. "c\27[0m", painted)
  end)

  it("changes to light styles for a light background", function()
    local theme = style.new({ depth = "256" })
    local dark = theme:get("user")
    assert.is_true(theme:set_background(1, 1, 1))
    assert.is_false(theme:set_background(0.9, 1, 1))
    assert.are_not.equal(dark, theme:get("user"))
  end)
end)

describe("tui.container", function()
  it("puts lines below each other and finds the cursor", function()
    local one = {
      render = function()
        return { "1", "2" }
      end,
    }
    local two = {
      render = function()
        return { "3" }, { row = 1, col = 4 }
      end,
    }
    local lines, cursor = container.new({ one, two }):render(10)
    assert.same({ "1", "2", "3" }, lines)
    assert.same({ row = 3, col = 4 }, cursor)
  end)

  it("shows one line for a component that fails and draws the others", function()
    local bad = {
      render = function()
        error("boom\nmore", 0)
      end,
    }
    local odd = {
      render = function()
        return { 5 }
      end,
    }
    local good = {
      render = function()
        return { "fine" }
      end,
    }
    local lines = container.new({ bad, odd, good }):render(10)
    assert.equal("[component error: boom]", lines[1])
    assert.equal("[component error: line 1 is a number]", lines[2])
    assert.equal("fine", lines[3])
  end)
end)

describe("tui.plain", function()
  it("cleans text that comes in pieces as it cleans the whole", function()
    local text = "a\27[31mb\27[0m é 中\r\nc\td\27]0;title\7e\27[2Jf"
    for cut = 1, #text - 1 do
      local stream = plain.stream()
      local got = stream:feed(text:sub(1, cut)) .. stream:feed(text:sub(cut + 1)) .. stream:finish()
      assert.equal("ab é 中\nc    def", got)
    end
  end)

  it("lets colours through a rendered line and nothing else", function()
    assert.equal("a\27[1mb", plain.line("a\27[1m\27[2J\27[5A\7b\r\1"))
  end)
end)

describe("tui.history", function()
  it("walks back and forth and gives the draft back", function()
    local h = history.new({ "one", "two", "two" })
    assert.equal("two", h:older("draft"))
    assert.equal("one", h:older("ignored"))
    assert.is_nil(h:older("ignored"))
    assert.equal("two", (h:newer()))
    local entry, draft = h:newer()
    assert.is_nil(entry)
    assert.equal("draft", draft)
    assert.is_nil((h:newer()))
  end)

  it("finds entries by all words of a query, newest first, each once", function()
    local h = history.new({ "fix the parser", "run tests", "Fix tests", "run tests" })
    assert.same({ "run tests", "Fix tests" }, h:search("TEST"))
    assert.same({ "fix the parser" }, h:search("fix pars"))
  end)
end)
