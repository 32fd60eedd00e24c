local modes = require("panto.tui.modes")

describe("tui.modes", function()
  it("asks for the device attributes last", function()
    assert.matches("\27%[%?u\27%[c$", modes.new():start())
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

  it("always ends paste, focus, synchronized output and a hidden cursor", function()
    local bytes = modes.new():stop()
    for _, wanted in ipairs({ "2004l", "1004l", "2026l", "?25h", "?7h" }) do
      assert.is_truthy(bytes:find(wanted, 1, true))
    end
  end)
end)
