require("bare_host")
local commands = require("panto.app.commands")

local REGISTRY = {
  commands = function()
    local list = {}
    for _, name in ipairs({ "clear", "compact", "copy", "extensions", "help", "model", "session" }) do
      list[#list + 1] = { name = name, description = name .. "!" }
    end
    return list
  end,
}

local function complete(line)
  local words = {}
  for _, item in ipairs(commands.complete(REGISTRY, line, #line, error).items) do
    words[#words + 1] = item.label
  end
  return table.concat(words, " ")
end

describe("app.commands completes", function()
  it("what begins with the letters before what has them somewhere in order", function()
    assert.equal("/clear /compact /copy", complete("/c"))
    assert.equal("/model /compact", complete("/m"))
    assert.equal("/session /extensions", complete("/s"))
    assert.equal("/extensions", complete("/exs"))
    assert.equal("/help", complete("/HLP"))
  end)

  it("everything in its order before a letter is typed, and nothing that does not fit", function()
    assert.equal("/clear /compact /copy /extensions /help /model /session", complete("/"))
    assert.equal("", complete("/xyz"))
    assert.equal("", complete("/tmp/file"))
  end)
end)
