require("bare_host")
local frame = require("panto.app.frame")
local style = require("panto.tui.style")
local view = require("panto.app.view")

local function new(transcript)
  return view.new({
    theme = style.new({ depth = "none" }),
    transcript = transcript,
    queue = { entries = {} },
    history = {},
    complete = function() end,
    changed = function() end,
    mount = function(_, default)
      return default
    end,
  })
end

describe("The echo of a key", function()
  it("shows the draft as it is now above the transcript of the last frame", function()
    local renders = 0
    local v = new({
      render = function()
        renders = renders + 1
        return { "answer " .. renders }
      end,
    })
    v:render(40)
    v:handle({ type = "key", key = "x", text = "x" })
    local lines, cursor, rows = v:render(40, true)
    assert.equal("answer 1", lines[1])
    assert.truthy(lines[cursor.row]:find("x", 1, true))
    assert.equal(1, rows)
    assert.equal("answer 2", v:render(30, true)[1])
    assert.equal("answer 3", v:render(30)[1])
  end)

  it("leaves what else has changed to its frame", function()
    local drawn = {}
    local f = frame.new(function(is_echo)
      drawn[#drawn + 1] = is_echo and "echo" or "whole"
    end)
    f.dirty = true
    f:echo()
    assert.is_true(f.dirty)
    f:now()
    assert.is_false(f.dirty)
    f.release = {} -- while the window's size changes
    f:echo()
    assert.same({ "echo", "whole" }, drawn)
  end)
end)
