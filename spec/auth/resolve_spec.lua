local play = require("auth_play")
local resolve = require("panto.auth.resolve")
local store = require("panto.auth.store")
local task = require("panto.sys.task")

local CONFIG = {
  auth = {
    openai = { type = "api_key", key = "k" },
    empty = { type = "api_key", key = "", variables = { "A", "B" } },
    bare = { type = "api_key", key = "" },
    odd = { type = "api_key", key = "a\nsecret" },
    gh = { type = "oauth_device" },
  },
}

describe("resolving a credential", function()
  local function message_of(name)
    local credential, message = resolve.credential(CONFIG, name)
    assert.is_nil(credential)
    return message
  end

  it("gives the key of an api_key session as the token", function()
    assert.same({ token = "k" }, resolve.credential(CONFIG, "openai"))
  end)

  it("names the variables of an empty key", function()
    assert.equal("'empty' has no key: export A and B", message_of("empty"))
    assert.equal("'bare' has no key: auth.bare.key is empty", message_of("bare"))
  end)

  it("names the nearest session for an unknown one", function()
    assert.equal("there is no auth session 'opnai' (did you mean \"openai\"?)", message_of("opnai"))
  end)

  it("refuses a key with a line break, without showing it", function()
    assert.is_nil(message_of("odd"):find("secret", 1, true))
  end)

  it("asks for a login to a device session", function()
    assert.equal("'gh' is not logged in (run: panto auth login gh)", message_of("gh"))
  end)

  it("tells the states that auth status prints", function()
    assert.equal("resolved", resolve.status(CONFIG, "openai"))
    assert.equal("unresolved (key/env missing)", resolve.status(CONFIG, "empty"))
    assert.equal("not logged in (run: panto auth login gh)", resolve.status(CONFIG, "gh"))
  end)

  it("names the variable that a key came from, for the advice about a bad one", function()
    local config = { auth = { a = { type = "api_key", key = "k", variables = { "A_KEY" } } } }
    assert.same({ token = "k", variable = "A_KEY" }, resolve.credential(config, "a"))
  end)
end)

describe("resolving a device session", function()
  local dir, config

  before_each(function()
    dir = os.tmpname()
    os.remove(dir)
    config = {
      auth = {
        gh = {
          type = "oauth_device",
          client_id = "me",
          device_code_url = "https://a/d",
          token_url = "https://a/t",
        },
      },
    }
  end)

  after_each(function()
    os.execute("rm -rf '" .. dir .. "'")
  end)

  local function keep(record)
    record.client_id, record.token_url = "me", "https://a/t"
    local held <close> = assert(store.new(dir):open())
    assert(held:set("gh", record))
  end

  local function status(record)
    keep(record)
    return resolve.status(config, "gh", { folder = dir, wire = play.wire({}).wire })
  end

  it("tells how long the access lasts", function()
    local now_s = play.NOW_S
    assert.equal(
      "logged in (access expires in ~7m)",
      status({ access_token = "a", expires_at = now_s + 450 })
    )
    assert.equal("logged in (access does not expire)", status({ access_token = "a" }))
    assert.equal(
      "logged in (access is renewed at the next turn)",
      status({ access_token = "a", refresh_token = "r", expires_at = now_s })
    )
    local text = "not logged in (run: panto auth login gh)"
    assert.equal(text, status({ access_token = "a", expires_at = now_s }))
    config.auth.gh.token_url = "https://elsewhere/t"
    assert.equal(text, status({ access_token = "a" }))
  end)

  it("gives token, address and account", function()
    keep({
      access_token = "a",
      account_id = "acc",
      exchange = { token = "e", base_url = "https://m", expires_at = play.NOW_S + 999 },
    })
    local options = { folder = dir, wire = play.wire({}).wire }
    local headers = { ["chatgpt-account-id"] = "acc" }
    local function credential()
      return task.loop(resolve.credential, config, "gh", options)
    end
    assert.same({ token = "a", scheme = "bearer", headers = headers }, credential())
    config.auth.gh.exchange_url = "https://e/x"
    local found = credential()
    assert.same({ "e", "https://m", headers }, { found.token, found.base_url, found.headers })
  end)

  it("shows a login when one may be shown, and takes it back at the end", function()
    local code = { device_code = "d", user_code = "A", verification_uri = "https://v" }
    local net = play.wire({ { 200, code }, { 200, { access_token = "t" } } })
    local seen = {}
    local credential = task.loop(resolve.credential, config, "gh", {
      folder = dir,
      wire = net.wire,
      show_login = function(name, prompt)
        seen[1] = name .. " " .. prompt.user_code
        return function()
          seen[2] = "over"
        end
      end,
    })
    assert.equal("t", credential.token)
    assert.same({ "gh A", "over" }, seen)
  end)
end)
