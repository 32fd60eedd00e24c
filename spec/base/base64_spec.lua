-- Base64: the examples of RFC 4648, any bytes there and back, and what is refused.

local base64 = require("panto.base.base64")

describe("base64", function()
  local cases = {
    [""] = "",
    f = "Zg==",
    fo = "Zm8=",
    foo = "Zm9v",
    foob = "Zm9vYg==",
    fooba = "Zm9vYmE=",
    foobar = "Zm9vYmFy",
  }
  for bytes, text in pairs(cases) do
    it(("writes and reads '%s'"):format(bytes), function()
      assert.equal(text, base64.encode(bytes))
      assert.equal(bytes, base64.decode(text))
      assert.equal(bytes, base64.decode((text:gsub("=", ""))))
    end)
  end

  it("gives any bytes back", function()
    math.randomseed(64)
    for size = 0, 200 do
      local parts = {}
      for index = 1, size do
        parts[index] = string.char(math.random(0, 255))
      end
      local bytes = table.concat(parts)
      assert.equal(bytes, base64.decode(base64.encode(bytes)))
    end
  end)

  it("reads the URL form and skips blanks", function()
    assert.equal("\xFB\xFF\xFE", base64.decode("-__-"))
    assert.equal("\xFB\xFF\xFE", base64.decode("+/\r\n/+\n"))
  end)

  it("refuses other letters and half bytes", function()
    assert.same(
      { nil, "not base64: unexpected character at position 3" },
      { base64.decode("Zm!v") }
    )
    assert.same(
      { nil, "not base64: unexpected character at position 2" },
      { base64.decode("Z=9v") }
    )
    assert.is_nil((base64.decode("Zm9vY")))
  end)
end)
