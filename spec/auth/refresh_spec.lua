local play = require("auth_play")
local refresh = require("panto.auth.refresh")

local SECTION = { client_id = "me", token_url = "https://a.example/token" }
local RECORD = { access_token = "old-access", refresh_token = "old-refresh", account_id = "acc" }

describe("a refresh", function()
  local function run(answer, section)
    local net = play.wire({ answer })
    local record, message, is_final = refresh.run(section or SECTION, "x", net.wire, RECORD)
    return record, message, is_final, net.sent
  end

  it("brings the next record, as a form or, for codex, as JSON", function()
    local answer = { 200, { access_token = "new", refresh_token = "next", expires_in = 60 } }
    local record, _, _, sent = run(answer)
    assert.equal("next", record.refresh_token)
    assert.equal(play.NOW_S + 60, record.expires_at)
    assert.equal("client_id=me&grant_type=refresh_token&refresh_token=old-refresh", sent[1].body)
    _, _, _, sent = run(answer, { dialect = "codex", client_id = "me", token_url = "https://a/t" })
    assert.equal(
      '{"client_id":"me","grant_type":"refresh_token","refresh_token":"old-refresh"}',
      sent[1].body
    )
  end)

  it("is final when the refresh token is dead, and only then", function()
    for _, answer in ipairs({
      { 400, { error = "invalid_grant" } },
      { 401, {} },
      { 400, { error = { code = "refresh_token_reused" } } },
    }) do
      local record, _, is_final = run(answer)
      assert.is_nil(record)
      assert.is_true(is_final)
    end
    for _, answer in ipairs({
      "refused",
      { 503 },
      { 429 },
      { 400, { error = "invalid_request" } },
      { 200, "<html>" },
    }) do
      local record, message, is_final = run(answer)
      assert.is_nil(record)
      assert.falsy(is_final)
      assert.truthy(message:find("the login of 'x' cannot be renewed: a.example", 1, true))
    end
  end)

  it("refuses another account", function()
    local section = { client_id = "me", token_url = "https://a/t", account_id_jwt_claim = "sub" }
    local _, message, is_final =
      run({ 200, { access_token = play.jwt({ sub = "else" }) } }, section)
    assert.equal("'x' came back as another account", message)
    assert.is_true(is_final)
  end)

  it("does not repeat the tokens", function()
    local _, message = run({ 400, { error = "x", error_description = "old-refresh, old-access" } })
    assert.equal("the login of 'x' cannot be renewed: a.example answered 400 x (…, …)", message)
  end)
end)
