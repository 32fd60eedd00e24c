local exchange = require("panto.auth.exchange")
local play = require("auth_play")

describe("the token exchange", function()
  local section

  before_each(function()
    section = { exchange_url = "https://x.example/token" }
  end)

  local function run(answer)
    local net = play.wire({ answer })
    local found, message, status = exchange.run(section, "gh", net.wire, "access-secret")
    return found, message, status, net.sent
  end

  it("asks with the access token and takes token, expiry and address", function()
    section.exchange_expires_path = "expires_at"
    section.exchange_base_url_path = "endpoints.api"
    section.exchange_headers = { ["User-Agent"] = "x/1" }
    local fields =
      { token = "tid", expires_at = 1800001800, endpoints = { api = "https://api.x/" } }
    local found, _, _, sent = run({ 200, fields })
    assert.same({ token = "tid", expires_at = 1800001800, base_url = "https://api.x" }, found)
    assert.equal("GET", sent[1].method)
    assert.same({
      accept = "application/json",
      authorization = "Bearer access-secret",
      ["user-agent"] = "x/1",
    }, sent[1].headers)
  end)

  it("takes the expiry of a JWT, else a quarter of an hour", function()
    assert.equal(1800000900, run({ 200, { token = "t" } }).expires_at)
    assert.equal(1900000000, run({ 200, { token = play.jwt({ exp = 1900000000 }) } }).expires_at)
  end)

  it("tells what is wrong with an answer", function()
    section.exchange_token_path = "data.key"
    local _, message = run({ 200, { token = "t" } })
    local text =
      "the token exchange of 'gh' gave no token at \"data.key\": check exchange_token_path"
    assert.equal(text, message)
    section.exchange_token_path, section.exchange_base_url_path = nil, "api"
    _, message = run({ 200, { token = "t", api = "file:///etc/passwd" } })
    assert.equal("the token exchange of 'gh' named no http address at \"api\"", message)
  end)

  it("tells a refusal with its mend and without the token", function()
    local found, message, status = run({ 403, { message = "no seat for access-secret" } })
    assert.is_nil(found)
    assert.equal(403, status)
    local text = "the token exchange of 'gh' failed: x.example answered 403 (no seat for …): "
      .. "this account has no access: does it have a seat or a plan for it?"
    assert.equal(text, message)
    found, message, status = run("refused")
    assert.same({ nil, nil }, { found, status })
    assert.truthy(message:find("x.example cannot be asked: refused", 1, true))
  end)
end)
