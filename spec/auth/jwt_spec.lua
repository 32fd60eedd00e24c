local jwt = require("panto.auth.jwt")
local play = require("auth_play")

describe("a JWT", function()
  it("gives its claims, in the URL's base64 without padding", function()
    local claims = { ["https://api.openai.com/auth"] = { id = "ü?>" }, exp = 1800000000 }
    assert.same(claims, jwt.claims(play.jwt(claims)))
    assert.equal(1800000000, jwt.expires_at(play.jwt(claims)))
  end)

  it("is nil for what is none", function()
    for _, text in ipairs({ "", "ghu_abc", "a.b.c", "a.!!.c", "a.bnVsbA.c", "a.W10.c", 5, {} }) do
      assert.is_nil(jwt.claims(text))
      assert.is_nil(jwt.expires_at(text))
    end
    assert.is_nil(jwt.expires_at(play.jwt({ exp = "soon" })))
  end)
end)
