local form = require("panto.auth.form")

describe("a form", function()
  it("escapes every byte that needs it and comes back", function()
    local fields = { grant_type = "urn:ietf:params:oauth", ["a b"] = "ü&=+%/\n", empty = "" }
    local text = form.encode(fields)
    assert.equal(
      "a%20b=%C3%BC%26%3D%2B%25%2F%0A&empty=&grant_type=urn%3Aietf%3Aparams%3Aoauth",
      text
    )
    assert.same(fields, form.decode(text))
  end)

  it("reads what servers send", function()
    local text = "access_token=gho_1&scope=a%2Cb+c&token_type=bearer"
    assert.same(
      { access_token = "gho_1", scope = "a,b c", token_type = "bearer" },
      form.decode(text)
    )
  end)
end)
