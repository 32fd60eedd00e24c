local retry = require("panto.provider.retry")

local function none()
  return 0
end

describe("retry", function()
  it("doubles from two seconds to a minute", function()
    local waits = {}
    for attempt = 1, 7 do
      waits[attempt] = retry.delay_ms(attempt, nil, 0, none)
    end
    assert.are.same({ 2000, 4000, 8000, 16000, 32000, 60000, 60000 }, waits)
  end)

  it("shortens by a quarter at most", function()
    assert.are.equal(
      1500,
      retry.delay_ms(1, nil, 0, function()
        return 1
      end)
    )
  end)

  it("waits as the server asks", function()
    assert.are.equal(
      1500,
      retry.delay_ms(1, { ["retry-after-ms"] = "1500", ["retry-after"] = "9" }, 0, none)
    )
    assert.are.equal(7000, retry.delay_ms(1, { ["retry-after"] = "7" }, 0, none))
    assert.are.equal(90000, retry.delay_ms(1, { ["retry-after"] = "90" }, 0, none))
    assert.are.equal(0, retry.delay_ms(1, { ["retry-after"] = "0" }, 0, none))
    assert.are.equal(2000, retry.delay_ms(1, { ["retry-after"] = "soon" }, 0, none))
  end)

  it("reads a date", function()
    local now = retry.decode_date("Wed, 21 Oct 2026 07:28:00 GMT")
    assert.are.equal(1792567680000, now)
    local later = { ["retry-after"] = "Wed, 21 Oct 2026 07:28:30 GMT" }
    assert.are.equal(30000, retry.delay_ms(1, later, now, none))
    assert.are.equal(0, retry.delay_ms(1, later, now + 60000, none))
    assert.are.equal(951782400000, retry.decode_date("Tue, 29 Feb 2000 00:00:00 GMT"))
  end)

  it("does not wait for hours", function()
    assert.is_nil(retry.delay_ms(1, { ["retry-after"] = "3600" }, 0, none))
  end)

  it("tries again what may go away by itself, and nothing else", function()
    for _, kind in ipairs({ "rate_limit", "overloaded", "server", "transport", "timeout", "cut" }) do
      assert.is_true(retry.is_retried({ kind = kind }), kind)
    end
    for _, kind in ipairs({ "auth", "quota", "bad_request", "not_found", "overflow", "invalid" }) do
      assert.is_false(retry.is_retried({ kind = kind }), kind)
    end
    assert.is_false(retry.is_retried({ kind = "transport", retry = false }))
  end)
end)
