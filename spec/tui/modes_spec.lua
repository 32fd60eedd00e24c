local graphics = require("panto.tui.images.graphics")
local modes = require("panto.tui.modes")

describe("tui.modes", function()
  it("asks for the device attributes last", function()
    assert.matches("\27%[%?u\27%[c$", modes.new():start())
  end)

  it("asks for images before the device attributes, and once more when these come", function()
    local images = graphics.new(function() end)
    local mode = modes.new({ graphics = images })
    assert.matches("\27%[%?u\27%[>0q\27%[16t\27%[c$", mode:start())
    mode:reply({ name = "version", text = "kitty(0.30.0)" })
    local bytes = mode:reply({ name = "da1" })
    assert.matches("^\27%[>4;2m\27_Gi=31,.*\27%[c$", bytes)
    mode:reply({ name = "graphics", is_ok = true })
    assert.is_nil(mode:reply({ name = "da1" }))
    assert.equal("placeholders", images.protocol)
  end)

  it("pushes the Kitty flags when the terminal knows them, and pops them", function()
    local mode = modes.new()
    mode:start()
    assert.is_nil(mode:reply({ name = "kitty_flags", flags = 0 }))
    assert.equal("\27[>5u", mode:reply({ name = "da1" }))
    assert.matches("^\27%[<u", mode:stop())
  end)

  it("sets modifyOtherKeys where the Kitty query stays unanswered, and resets it", function()
    local mode = modes.new()
    mode:start()
    assert.equal("\27[>4;2m", mode:reply({ name = "da1" }))
    assert.is_nil(mode:reply({ name = "da1" }))
    assert.matches("^\27%[>4;0m", mode:stop())
  end)

  it("gives the title back, ends the progress and the mark, only where they are known", function()
    local mode = modes.new({ has_title = true, has_progress = true, has_marks = true })
    assert.is_truthy(mode:start():find("\27[22;2t", 1, true))
    local bytes = mode:stop()
    for _, wanted in ipairs({ "\27[23;2t", "\27]9;4;0\27\\", "\27]133;C\27\\" }) do
      assert.is_truthy(bytes:find(wanted, 1, true))
    end
    local plain = modes.new()
    assert.is_nil((plain:start() .. plain:stop()):find("[%d]t", 1))
    assert.equal("", plain:title("x") .. plain:progress(true))
    assert.is_nil(plain:stop():find("\27]", 1, true))
  end)

  it("knows titles and progress by the terminal's name", function()
    local function get_of(env)
      return function(name)
        return env[name]
      end
    end
    assert.is_true(modes.knows_title(get_of({ TERM = "xterm-kitty" })))
    assert.is_false(modes.knows_title(get_of({ TERM = "linux" })))
    assert.is_false(modes.knows_title(get_of({})))
    assert.is_true(modes.knows_progress(get_of({ WT_SESSION = "1" })))
    assert.is_false(modes.knows_progress(get_of({ TERM = "xterm-kitty" })))
    assert.is_false(modes.knows_progress(get_of({ VTE_VERSION = "7900", TMUX = "x" })))
  end)

  it("always ends paste, focus, synchronized output and a hidden cursor", function()
    local bytes = modes.new():stop()
    for _, wanted in ipairs({ "2004l", "1004l", "2026l", "?25h", "?7h" }) do
      assert.is_truthy(bytes:find(wanted, 1, true))
    end
  end)
end)
