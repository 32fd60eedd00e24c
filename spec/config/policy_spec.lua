local policy = require("panto.config.policy")

describe("policy", function()
  it("permits everything without rules", function()
    assert.is_true(policy.allows(nil, "std.read"))
    assert.is_true(policy.allows({ allow = {}, deny = {} }, "std.read"))
  end)

  it("permits what an allow glob matches and no deny glob", function()
    local rules = { allow = { "std.*" }, deny = { "std.shell" } }
    assert.is_true(policy.allows(rules, "std.read"))
    assert.is_false(policy.allows(rules, "std.shell"))
    assert.is_false(policy.allows(rules, "other.read"))
  end)

  it("permits all but the denied when allow is empty", function()
    assert.is_false(policy.allows({ deny = { "std.*" } }, "std.read"))
    assert.is_true(policy.allows({ deny = { "std.*" } }, "mine"))
  end)
end)
