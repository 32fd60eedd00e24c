local play = require("auth_play")
local tokens = require("panto.auth.tokens")

local SECTION = { client_id = "me", token_url = "u", account_id_jwt_claim = "https://a/b.c.id" }

describe("an answer as a record", function()
  it("takes the expiry from the answer, else from the token, else there is none", function()
    local jwt = play.jwt({ exp = 500 })
    local function expires_at(fields)
      return tokens.build(SECTION, fields, 100).expires_at
    end
    assert.equal(160, expires_at({ access_token = jwt, expires_in = 60 }))
    assert.equal(160, expires_at({ access_token = jwt, expires_in = "60" }))
    assert.equal(500, expires_at({ access_token = jwt }))
    assert.is_nil(expires_at({ access_token = "opaque" }))
  end)

  it("names the account from the id token, else from the access token", function()
    local claims = { ["https://a/b"] = { c = { id = "acc" } } }
    local fields = { access_token = "x", id_token = play.jwt(claims) }
    assert.equal("acc", tokens.build(SECTION, fields, 0).account_id)
    assert.equal("acc", tokens.build(SECTION, { access_token = play.jwt(claims) }, 0).account_id)
  end)

  it("keeps what a refresh leaves out", function()
    local old = {
      access_token = "a",
      refresh_token = "r",
      account_id = "acc",
      expires_at = 5,
      exchange = { token = "e" },
    }
    local made = tokens.build(SECTION, { access_token = "b", refresh_token = "" }, 0, old)
    assert.same({
      access_token = "b",
      refresh_token = "r",
      account_id = "acc",
      client_id = "me",
      token_url = "u",
      exchange = { token = "e" },
    }, made)
    assert.equal(5, tokens.build(SECTION, { refresh_token = "s" }, 0, old).expires_at)
    assert.is_nil(tokens.build(SECTION, {}, 0))
  end)

  it("belongs to one server and client", function()
    local made = tokens.build(SECTION, { access_token = "a" }, 0)
    assert.is_true(tokens.belongs(SECTION, made))
    assert.is_false(tokens.belongs({ client_id = "me", token_url = "v" }, made))
  end)
end)
