local resolve = require("panto.auth.resolve")

local CONFIG = {
  auth = {
    openai = { type = "api_key", key = "k" },
    empty = { type = "api_key", key = "", variables = { "A", "B" } },
    bare = { type = "api_key", key = "" },
    odd = { type = "api_key", key = "a\nsecret" },
    gh = { type = "oauth_device" },
  },
}

describe("resolving a credential", function()
  local function message_of(name)
    local credential, message = resolve.credential(CONFIG, name)
    assert.is_nil(credential)
    return message
  end

  it("gives the key of an api_key session as the token", function()
    assert.same({ token = "k" }, resolve.credential(CONFIG, "openai"))
  end)

  it("names the variables of an empty key", function()
    assert.equal("'empty' has no key: export A and B", message_of("empty"))
    assert.equal("'bare' has no key: auth.bare.key is empty", message_of("bare"))
  end)

  it("names the nearest session for an unknown one", function()
    assert.equal("there is no auth session 'opnai' (did you mean \"openai\"?)", message_of("opnai"))
  end)

  it("refuses a key with a line break, without showing it", function()
    assert.is_nil(message_of("odd"):find("secret", 1, true))
  end)

  it("asks for a login to a device session", function()
    assert.equal("'gh' is not logged in (run: panto auth login gh)", message_of("gh"))
  end)

  it("tells the states that auth status prints", function()
    assert.equal("resolved", resolve.status(CONFIG, "openai"))
    assert.equal("unresolved (key/env missing)", resolve.status(CONFIG, "empty"))
    assert.equal("not logged in (run: panto auth login gh)", resolve.status(CONFIG, "gh"))
  end)
end)
