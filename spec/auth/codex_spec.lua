local codex = require("panto.auth.codex")
local play = require("auth_play")

local SECTION = {
  client_id = "me",
  device_code_url = "https://a.example/usercode",
  device_poll_url = "https://a.example/poll",
  token_url = "https://a.example/oauth/token",
}
local PROMPT = { device_code = "auth-id", user_code = "A-B" }

describe("the dialect codex", function()
  it("asks as JSON and takes the older key and an interval in a text", function()
    local net =
      play.wire({ { 200, { device_auth_id = "auth-id", usercode = "A-B", interval = "7" } } })
    assert.same({
      url = "https://a.example/codex/device",
      user_code = "A-B",
      device_code = "auth-id",
      interval_s = 7,
      expires_in_s = 900,
    }, codex.start(SECTION, net.wire))
    assert.equal('{"client_id":"me"}', net.sent[1].body)
  end)

  it("says that a server has no such login", function()
    local _, message = codex.start(SECTION, play.wire({ { 404, {} } }).wire)
    assert.equal("a.example offers no login by device code (404)", message)
  end)

  it(
    "takes 403 and 404 for pending, a stumbling server for a hiccup, anything else for the end",
    function()
      local function state(answer)
        return (codex.ask(SECTION, play.wire({ answer }).wire, PROMPT))
      end
      assert.equal("pending", state({ 403, { error = "x" } }))
      assert.equal("pending", state({ 404, "" }))
      assert.equal("hiccup", state({ 502, "" }))
      assert.equal("hiccup", state("refused"))
      assert.equal("fail", state({ 400, {} }))
      assert.equal("fail", state({ 200, {} }))
    end
  )

  it("trades the authorization code and the server's verifier as a form", function()
    local net = play.wire({
      { 200, { authorization_code = "ac", code_verifier = "cv", code_challenge = "cc" } },
      { 200, { access_token = "t" } },
    })
    local state, fields = codex.ask(SECTION, net.wire, PROMPT)
    assert.same({ "done", { access_token = "t" } }, { state, fields })
    assert.equal('{"device_auth_id":"auth-id","user_code":"A-B"}', net.sent[1].body)
    local body = "client_id=me&code=ac&code_verifier=cv&grant_type=authorization_code"
      .. "&redirect_uri=https%3A%2F%2Fa.example%2Fdeviceauth%2Fcallback"
    assert.equal(body, net.sent[2].body)
  end)
end)
