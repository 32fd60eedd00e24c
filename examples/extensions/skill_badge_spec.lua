local testing = require("panto.testing")

local SKILL = [[
return { name = "skill", description = "A skill.", handler = function() return "skilled" end }
]]

describe("the skill badge", function()
  it("stands below the skill's row, and below no other", function()
    local t = testing.new({
      files = { [".panto/tools/skill.lua"] = SKILL, ["a.txt"] = "one" },
      script = {
        { calls = { { name = "skill" }, { name = "std.read", input = { path = "a.txt" } } } },
        { text = "Done." },
      },
    })
    t:say("go")
    local _, badges = t:screen():gsub("▸ running skill", "")
    assert.equal(1, badges)
    assert.contains("std.read a.txt", t:screen())
  end)
end)
