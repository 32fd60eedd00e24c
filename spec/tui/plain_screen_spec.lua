local plain_screen = require("panto.tui.plain_screen")

local function new()
  local written = {}
  local screen = plain_screen.new({
    cols = 40,
    rows = 10,
    write = function(bytes)
      written[#written + 1] = bytes
    end,
  })
  return screen,
    function()
      local text = table.concat(written)
      written = {}
      return text
    end
end

describe("tui.plain_screen", function()
  it("echoes what is typed, and erases what is erased", function()
    local screen, take = new()
    screen:draw({ "───", "› ", "───" }, { row = 2, col = 3 })
    assert.equal("› ", take())
    screen:draw({ "───", "› a中", "───" }, { row = 2, col = 6 })
    assert.equal("a中", take())
    screen:draw({ "───", "› a", "───" }, { row = 2, col = 4 })
    assert.equal("\b \b\b \b", take())
    screen:draw({ "───", "› xa", "───" }, { row = 2, col = 4 })
    assert.equal("\r\n› xa", take())
  end)

  it("writes finished lines once, and what was typed not again", function()
    local screen, take = new()
    screen:draw({ "› hello" }, { row = 1, col = 8 })
    take()
    screen:append({ "", "› hello", "", "\27[1mAnswer\27[0m  " })
    screen:draw({ "› " }, { row = 1, col = 3 })
    assert.equal("\r\n\r\nAnswer\r\n› ", take())
    assert.is_false(screen:draw({ "› " }, { row = 1, col = 3 }))
  end)

  it("says each row of a list once, and the selected one when it changes", function()
    local screen, take = new()
    screen:draw({ "Model", "> ", "› one", "  two" }, { row = 2, col = 3 })
    assert.equal("Model\r\n› one\r\n  two\r\n> ", take())
    screen:draw({ "Model", "> ", "  one", "› two" }, { row = 2, col = 3 })
    assert.equal("\r\n› two\r\n> ", take())
  end)

  it("writes nothing while another program has the terminal", function()
    local screen, take = new()
    screen:draw({ "› a" }, { row = 1, col = 4 })
    take()
    screen:suspend()
    assert.equal("\r\n", take())
    assert.is_false(screen:draw({ "› ab" }, { row = 1, col = 5 }))
    screen:resume()
    screen:draw({ "› ab" }, { row = 1, col = 5 })
    assert.equal("› ab", take())
  end)
end)
