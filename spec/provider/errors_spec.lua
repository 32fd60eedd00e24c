local advice = require("panto.provider.advice")
local errors = require("panto.provider.errors")
local json = require("panto.base.json")

local function kind_of(status, text)
  return errors.parse_text(text, status).kind
end

local function openai(code, message, type)
  return json.encode({
    error = { message = message or "m", type = type or "t", code = code or json.null },
  })
end

describe("errors", function()
  it("go by the status where the words say nothing", function()
    local expected = {
      [400] = "bad_request",
      [401] = "auth",
      [402] = "quota",
      [403] = "auth",
      [404] = "not_found",
      [408] = "timeout",
      [409] = "server",
      [413] = "overflow",
      [422] = "bad_request",
      [425] = "server",
      [429] = "rate_limit",
      [500] = "server",
      [502] = "server",
      [503] = "overloaded",
      [529] = "overloaded",
    }
    for status, kind in pairs(expected) do
      assert.are.equal(kind, kind_of(status, openai()), status)
      assert.are.equal(kind, kind_of(status, "<html>x</html>"), status)
    end
  end)

  it("tell a spent quota from too many requests", function()
    assert.are.equal(
      "quota",
      kind_of(429, openai("insufficient_quota", "You exceeded your current quota"))
    )
    assert.are.equal("quota", kind_of(400, openai(nil, "Your credit balance is too low")))
    assert.are.equal("quota", kind_of(403, openai("billing_not_active")))
    assert.are.equal(
      "rate_limit",
      kind_of(429, openai("rate_limit_exceeded", "Rate limit reached"))
    )
    assert.are.equal(
      "rate_limit",
      kind_of(429, openai(nil, "You exceeded your current quota, retry in 20s"))
    )
  end)

  it("know a full context window in many words", function()
    assert.are.equal("overflow", kind_of(400, openai("context_length_exceeded")))
    assert.are.equal(
      "overflow",
      kind_of(400, openai(nil, "This model's maximum context length is 8192 tokens"))
    )
    assert.are.equal("overflow", kind_of(400, openai(nil, "prompt is too long: 9 > 8")))
    local llama = {
      error = {
        code = 400,
        message = "the request exceeds the available context size",
        type = "exceed_context_size_error",
      },
    }
    assert.are.equal("overflow", kind_of(400, json.encode(llama)))
    assert.are.equal("bad_request", kind_of(400, openai(nil, "max_tokens is too large: 64000")))
  end)

  it("are read in every shape", function()
    local shapes = {
      '{"error":{"message":"boom"}}',
      '{"error":"boom"}',
      '{"message":"boom","code":400}',
      '{"detail":"boom"}',
      '{"type":"error","error":{"type":"x","message":"boom"}}',
      '[{"error":{"message":"boom","status":"INTERNAL"}}]',
      '{"object":"error","message":"boom"}',
      "boom\n",
      "<html><style>p{}</style><body> <h1>boom</h1></body></html>",
    }
    for _, shape in ipairs(shapes) do
      assert.are.equal("boom", errors.parse_text(shape, 400).message, shape)
    end
    assert.are.equal("empty answer", errors.parse_text("", 502).message)
    assert.are.equal("rate_limit", errors.parse({ error = { code = 429, message = "slow" } }).kind)
    local routed =
      { error = { code = 502, message = "Provider error", metadata = { raw = "inner" } } }
    assert.are.equal("Provider error: inner", errors.parse(routed).message)
  end)

  it("stay short, and whole in their characters", function()
    local text = errors.excerpt(("ä"):rep(1000))
    assert.is_true(#text < 520)
    assert.is_truthy(utf8.len(text))
  end)

  it("never hold a secret", function()
    assert.are.equal(
      "bad [secret], again [secret]",
      errors.redact("bad sk-12345, again sk-12345", { "sk-12345" })
    )
    assert.are.equal("abc", errors.redact("abc", { "b" }))
    assert.are.equal("bad [secret]…", errors.redact("bad sk-1234…", { "sk-12345" }))
  end)

  it("say what happened, where, and what to do", function()
    local place = {
      provider = "openai",
      model = "gpt",
      url = "http://h/v1",
      auth = "openai",
      variable = "OPENAI_API_KEY",
    }
    local err = errors.parse_text(openai("invalid_api_key", "Incorrect key"), 401)
    assert.are.equal(
      "openai: 401 bad key (Incorrect key): check OPENAI_API_KEY",
      advice.full(err, place)
    )
    assert.are.equal("openai: 401 bad key (Incorrect key)", advice.short(err, place))
    place.variable = nil
    assert.is_truthy(advice.full(err, place):find("check the key of [auth.openai]", 1, true))
    place.login = "openai"
    assert.are.equal(
      "openai: 401 login refused (Incorrect key): log in again: panto auth login openai",
      advice.full(err, place)
    )
    local gone = errors.parse_failure({ kind = "connect", message = "refused" })
    assert.is_truthy(
      advice.full(gone, place):find("openai: cannot reach http://h/v1 (refused): check", 1, true)
    )
  end)

  it("know which failures of the network are final", function()
    assert.are.equal("timeout", errors.parse_failure({ kind = "timeout", message = "m" }).kind)
    assert.are.equal("transport", errors.parse_failure({ kind = "closed", message = "m" }).kind)
    assert.is_false(errors.parse_failure({ kind = "invalid", message = "m" }).retry)
    assert.is_false(
      errors.parse_failure({ kind = "tls", message = "certificate verify failed" }).retry
    )
    assert.is_nil(errors.parse_failure({ kind = "tls", message = "reset" }).retry)
  end)
end)
