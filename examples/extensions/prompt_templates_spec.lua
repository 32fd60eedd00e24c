local panto = require("panto")
local testing = require("panto.testing")

local here = ...

-- The templates stand beside the extension: so here it is one of the project's.
local function open(templates)
  local files = {
    [".panto/extensions/templates.lua"] = assert(panto.fs.read(here .. "/prompt_templates.lua")),
  }
  for name, text in pairs(templates) do
    files[".panto/extensions/prompts/" .. name .. ".md"] = text
  end
  return testing.new({ extensions = {}, files = files, script = { { text = "Fine." } } })
end

describe("a prompt template", function()
  it("becomes what the user says", function()
    local t = open({ review = "Review $1 with an eye on $2.\nAll: $@" })
    t:say("/review main.lua errors")
    t:wait()
    local said = t:events("user_message")[1].text
    assert.equal("Review main.lua with an eye on errors.\nAll: main.lua errors", said)
    assert.contains("Fine.", t:screen())
  end)

  it("is a command that Tab knows", function()
    local t = open({ review = "Review.", explain = "Explain." })
    assert.same({ "/review" }, t:complete("/rev"))
  end)
end)
