local words = require("panto.auth.words")

describe("the words about a failed answer", function()
  local function failure(status, fields, secrets)
    return words.failure(
      { status = status, fields = fields },
      nil,
      "https://u:p@a.example/x",
      secrets
    )
  end

  it("name host, status, code and description, as far as there are any", function()
    assert.equal("a.example answered 500", failure(500, {}))
    assert.equal("a.example answered 400 invalid_scope", failure(400, { error = "invalid_scope" }))
    local fields = { error = "x", error_description = "no such scope" }
    assert.equal("a.example answered 400 x (no such scope)", failure(400, fields))
    fields = { error = { code = "c", message = "m" } }
    assert.equal("a.example answered 401 c (m)", failure(401, fields))
    local text = words.failure(nil, "connection refused", "https://a.example/x")
    assert.equal("a.example cannot be asked: connection refused", text)
  end)

  it("hold no secret and no control character, and are short", function()
    local secret = "tok-%d+.secret"
    local text = failure(
      400,
      { error = secret, message = "x" .. secret .. "\27[2J\r\ny" },
      { secret }
    )
    assert.equal("a.example answered 400 … (x… y)", text)
    assert.is_true(#failure(400, { error_description = ("ü"):rep(5000) }) < 450)
  end)

  it("find the code in every shape", function()
    local function code(fields)
      return words.code({ fields = fields })
    end
    assert.equal("a", code({ error = "a" }))
    assert.equal("b", code({ error = { code = "b", type = "t" } }))
    assert.equal("t", code({ error = { type = "t" } }))
    assert.equal("c", code({ code = "c" }))
    assert.is_nil(code({ error = true }))
  end)

  it("take addresses apart", function()
    assert.equal("a.example:8080", words.host("https://a.example:8080/b?c"))
    assert.equal("http://127.0.0.1:9", words.origin("http://127.0.0.1:9/b"))
  end)
end)
