-- UUIDs of version 7: their form, and that they sort by time.

local uuid = require("panto.base.uuid")

describe("uuid.v7", function()
  it("has the form of RFC 9562", function()
    assert.equal(
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
      uuid.v7(0x017F22E279B0, "\x0C\xC3\x18\xC4\xDC\x0C\x0C\x07\x39\x8F......")
    )
    assert.equal("00000000-0000-7fff-bfff-ffffffffffff", uuid.v7(0, ("\xFF"):rep(16)))
  end)

  it("sorts by time", function()
    assert.is_true(
      uuid.v7(1718000000000, ("\xFF"):rep(16)) < uuid.v7(1718000000001, ("\0"):rep(16))
    )
  end)

  it("raises when there is too little chance in it", function()
    assert.has_error(function()
      uuid.v7(0, "short")
    end, "uuid.v7: expected 16 random bytes, got 5")
  end)
end)
