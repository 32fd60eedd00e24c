local graphics = require("panto.tui.images.graphics")

local KITTY_QUERY = "\27_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\27\\\27[c"

local function new(env, is_off)
  return graphics.new(function(name)
    return env[name]
  end, is_off)
end

-- Plays a terminal that answers in this way; returns the protocol and all that was asked.
local function play(env, version, knows_kitty)
  local made = new(env)
  local asked = made:ask()
  if version then
    made:reply({ name = "version", text = version })
  end
  local more = made:reply({ name = "da1" })
  if more then
    asked = asked .. more
    if knows_kitty then
      made:reply({ name = "graphics", is_ok = true })
    end
    made:reply({ name = "da1" })
  end
  return made.protocol, asked
end

describe("tui.images.graphics", function()
  local answers = {
    { "kitty(0.26.5)", true, "kitty" },
    { "kitty(0.28.0)", true, "placeholders" },
    { "kitty(1.2.0)", true, "placeholders" },
    { "ghostty 1.1.3", true, "placeholders" },
    { "Konsole 23.08.1", true, "kitty" },
    { "foot(1.13.1)", false, nil },
    { "XTerm(379)", false, nil },
    { "iTerm2 3.5.10", true, "iterm" },
    { "WezTerm 20240203-110809-5046fc22", true, "iterm" },
    { "tmux 3.4", true, nil },
  }
  for _, case in ipairs(answers) do
    local version, knows_kitty, protocol = table.unpack(case, 1, 3)
    it(("finds %s in %s"):format(protocol or "nothing", version), function()
      assert.equal(protocol, (play({ TERM = "xterm-256color" }, version, knows_kitty)))
    end)
  end

  it("sends the string of the Kitty query only to who has told a version", function()
    local _, asked = play({ TERM = "rxvt-unicode" }, nil)
    assert.equal("\27[>0q\27[16t", asked)
    _, asked = play({ TERM = "xterm-256color" }, "tmux 3.4")
    assert.equal("\27[>0q\27[16t", asked)
    _, asked = play({ TERM = "xterm-kitty" }, "kitty(0.30.0)")
    assert.equal("\27[>0q\27[16t" .. KITTY_QUERY, asked)
  end)

  it("takes the program's name only where nothing is in between and no version is told", function()
    assert.equal("iterm", (play({ TERM_PROGRAM = "iTerm.app" }, nil)))
    assert.equal("iterm", (play({ TERM_PROGRAM = "WezTerm" }, nil)))
    assert.is_nil((play({ TERM_PROGRAM = "Apple_Terminal" }, nil)))
    assert.is_nil((play({ TERM_PROGRAM = "iTerm.app" }, "foot(1.13.1)")))
    for _, name in ipairs({ "TMUX", "STY", "ZELLIJ", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS" }) do
      assert.is_nil((play({ TERM_PROGRAM = "iTerm.app", [name] = "x" }, nil)))
    end
  end)

  it("asks nothing in tmux, screen, a console, and where images are off", function()
    for _, term in ipairs({ "screen-256color", "tmux-256color", "linux", "dumb" }) do
      assert.equal("", new({ TERM = term }):ask())
    end
    assert.equal("", new({ TERM = "xterm-kitty", TMUX = "x" }):ask())
    assert.equal("", new({ TERM = "xterm-kitty" }, true):ask())
    assert.is_nil(new({ TERM = "xterm-kitty" }, true):reply({ name = "da1" }))
  end)

  it("takes the size of the cells, and asks anew after the terminal was lent", function()
    local made = new({ TERM = "xterm-kitty" })
    assert.same({ 10, 20 }, { made.cell_width, made.cell_height })
    made:ask()
    made:reply({ name = "version", text = "kitty(0.40.0)" })
    made:reply({ name = "cell", width = 9, height = 18 })
    assert.same({ 9, 18 }, { made.cell_width, made.cell_height })
    assert.equal(KITTY_QUERY, made:reply({ name = "da1" }))
    made:reply({ name = "graphics", is_ok = true })
    assert.is_nil(made:reply({ name = "da1" }))
    assert.equal("placeholders", made.protocol)
    made:ask()
    assert.equal("placeholders", made.protocol)
    made:reply({ name = "da1" })
    assert.is_nil(made.protocol)
  end)
end)
