local device = require("panto.auth.device")
local play = require("auth_play")

local SECTION = {
  client_id = "me",
  device_code_url = "https://a.example/device",
  token_url = "https://a.example/token",
  scope = "read",
}

describe("the dialect token", function()
  local function start(answer)
    local net = play.wire({ answer })
    local prompt, message = device.start(SECTION, net.wire)
    return prompt, message, net.sent
  end

  it("asks for a code and takes what servers call things", function()
    local prompt, _, sent = start({
      200,
      { device_code = "dc", user_code = "A-B", verification_url = "https://v", interval = "3" },
    })
    assert.equal("client_id=me&scope=read", sent[1].body)
    assert.same({
      url = "https://v",
      user_code = "A-B",
      device_code = "dc",
      interval_s = 3,
      expires_in_s = 900,
    }, prompt)
  end)

  it("takes a form for an answer", function()
    local text = "device_code=dc&user_code=A-B&verification_uri=https%3A%2F%2Fv&expires_in=60"
    local prompt = start({ 200, text, "application/x-www-form-urlencoded" })
    assert.equal("https://v", prompt.url)
    assert.equal(60, prompt.expires_in_s)
  end)

  it("says why there is no code", function()
    local _, message = start({ 400, { error = "invalid_scope" } })
    assert.equal("a.example answered 400 invalid_scope", message)
  end)

  local function ask(answer)
    local net = play.wire({ answer })
    return table.pack(device.ask(SECTION, net.wire, { device_code = "dev-secret" })), net.sent
  end

  it("knows every state, also when errors come with status 200", function()
    for _, status in ipairs({ 200, 400 }) do
      local function state(fields)
        return table.unpack((ask({ status, fields })))
      end
      assert.same({ "pending" }, { state({ error = "authorization_pending" }) })
      assert.same({ "slow_down", 10 }, { state({ error = "slow_down", interval = 10 }) })
      assert.same({ "fail", "the login was denied" }, { state({ error = "access_denied" }) })
      assert.equal("fail", (state({ error = "expired_token" })))
      assert.equal("fail", (state({ error = "invalid_client" })))
    end
    local found, sent = ask({ 200, { access_token = "t" } })
    assert.same({ "done", { access_token = "t" }, n = 2 }, found)
    assert.truthy(sent[1].body:find("device_code=dev%-secret&grant_type=urn%%3Aietf"))
  end)

  it("waits for a network or a server that is away", function()
    for _, answer in ipairs({ "refused", { 502, "<html>" }, { 429 }, { 408 } }) do
      assert.equal("hiccup", ask(answer)[1])
    end
  end)

  it("does not show the device code", function()
    local found = ask({ 400, { error = "bad", error_description = "no code dev-secret" } })
    assert.equal("a.example answered 400 bad (no code …)", found[2])
  end)
end)
