local expiry = require("panto.auth.expiry")

describe("an expiry", function()
  it("may be seconds since 1970, milliseconds, or seconds from now", function()
    assert.equal(1750000000, expiry.parse(1750000000, 9))
    assert.equal(1750000000, expiry.parse("1750000000", 9))
    assert.equal(1750000000, expiry.parse(1750000000123, 9))
    assert.equal(1900, expiry.parse(1800, 100))
    assert.equal(101, expiry.parse("1.5", 100))
  end)

  it("may be an ISO date with any offset", function()
    assert.equal(0, expiry.parse("1970-01-01T00:00:00Z", 9))
    assert.equal(1709200800, expiry.parse("2024-02-29T12:00:00.5+02:00", 9))
    assert.equal(1709200800, expiry.parse("2024-02-29 05:00:00-0500", 9))
    assert.equal(4070908800, expiry.parse("2099-01-01T00:00:00+00:00", 9))
  end)

  it("is nil for anything else", function()
    for _, value in ipairs({ "soon", "", -5, {}, true, 0 / 0, math.huge }) do
      assert.is_nil(expiry.parse(value, 9))
    end
    assert.is_nil(expiry.seconds("5 s"))
  end)
end)
