local login = require("panto.auth.login")
local play = require("auth_play")
local store = require("panto.auth.store")
local task = require("panto.sys.task")

describe("a login", function()
  local dir, section

  before_each(function()
    dir = os.tmpname()
    os.remove(dir)
    section = { client_id = "me", device_code_url = "https://a/d", token_url = "https://a/t" }
  end)

  after_each(function()
    os.execute("rm -rf '" .. dir .. "'")
  end)

  local function run(code, ...)
    local net = play.wire({ { 200, code }, ... })
    local access = { name = "x", section = section, store = store.new(dir), wire = net.wire }
    local text
    local found = table.pack(task.loop(login.run, access, function(prompt)
      text = login.text(prompt)
    end))
    return text, found, access
  end

  it("shows URL and code, and the URL that has both", function()
    local text, found, access = run({
      device_code = "d",
      user_code = "A\27[2J-B",
      verification_uri = "https://v",
      verification_uri_complete = "https://v?c=A-B",
    }, { 200, { access_token = "t" } })
    local expected = "To authorize, open this URL in a browser: https://v\nenter the code: A-B\n"
      .. "or open this one, which has the code in it: https://v?c=A-B"
    assert.equal(expected, text)
    assert.equal("t", found[1].access_token)
    assert.equal("t", access.store:get("x").access_token)
  end)

  it("falls back to the configured page, and refuses one that is none", function()
    section.verification_url = "https://configured"
    local text = run({ device_code = "d", user_code = "A" }, { 200, { access_token = "t" } })
    assert.truthy(text:find("browser: https://configured\n", 1, true))
    section.verification_url = nil
    for _, uri in ipairs({ "javascript:alert(1)", 5, "https://a b" }) do
      local shown, found = run({ device_code = "d", user_code = "A", verification_uri = uri })
      assert.is_nil(shown)
      assert.truthy(found[2]:find("write verification_url in [auth.x]", 1, true))
    end
  end)

  it("runs the exchange at once, and keeps the login when that fails", function()
    section.exchange_url = "https://e/x"
    local code = { device_code = "d", user_code = "A", verification_uri = "https://v" }
    local tokens = { 200, { access_token = "t", expires_in = 60 } }
    local _, found = run(code, tokens, { 200, { token = "e" } })
    assert.equal("e", found[1].exchange.token)
    local access
    _, found, access = run(code, tokens, { 403, {} })
    assert.is_nil(found[1])
    assert.is_true(found[3])
    assert.equal("t", access.store:get("x").access_token)
  end)
end)
