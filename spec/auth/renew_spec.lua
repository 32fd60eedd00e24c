local play = require("auth_play")
local renew = require("panto.auth.renew")
local store = require("panto.auth.store")
local task = require("panto.sys.task")

local SECTION = { client_id = "me", token_url = "https://a.example/token" }

describe("renewing a login", function()
  local dir, access

  before_each(function()
    dir = os.tmpname()
    os.remove(dir)
    access = { name = "x", section = SECTION, store = store.new(dir) }
  end)

  after_each(function()
    os.execute("rm -rf '" .. dir .. "'")
  end)

  local function keep(record)
    record.access_token = record.access_token or "old-access"
    record.client_id, record.token_url = "me", "https://a.example/token"
    local held <close> = assert(access.store:open())
    assert(held:set("x", record))
  end

  local function run(answers)
    local net = play.wire(answers or {})
    access.wire = net.wire
    local found = table.pack(task.loop(renew.run, access))
    return found[1], found[2], found[3], net.sent
  end

  it("leaves a good one alone, and asks for a login when there is none", function()
    local record, message, needs_login = run()
    assert.is_nil(record)
    assert.is_true(needs_login)
    assert.equal("'x' is not logged in (run: panto auth login x)", message)
    keep({ expires_at = play.NOW_S + 300 })
    assert.equal("old-access", run().access_token)
    keep({})
    assert.equal("old-access", run().access_token)
  end)

  it("refreshes in the last five minutes and writes what came", function()
    keep({ expires_at = play.NOW_S + 299, refresh_token = "r1" })
    local answer = { 200, { access_token = "new", refresh_token = "r2", expires_in = 3600 } }
    assert.equal("new", run({ answer }).access_token)
    assert.equal("r2", access.store:get("x").refresh_token)
  end)

  it("uses up a token that cannot be refreshed, then asks for a login", function()
    keep({ expires_at = play.NOW_S + 10 })
    assert.equal("old-access", run().access_token)
    keep({ expires_at = play.NOW_S })
    local _, message, needs_login = run()
    assert.equal("the login of 'x' has expired; log in again: panto auth login x", message)
    assert.is_true(needs_login)
  end)

  it("forgets a dead refresh token, but not the access that still lives", function()
    keep({ expires_at = play.NOW_S + 10, refresh_token = "dead" })
    assert.equal("old-access", run({ { 400, { error = "invalid_grant" } } }).access_token)
    assert.is_nil(access.store:get("x").refresh_token)
  end)

  it("finishes a refresh whose turn was cancelled", function()
    keep({ expires_at = play.NOW_S, refresh_token = "r1" })
    local net = play.wire({ { 200, { access_token = "new", refresh_token = "r2" } } })
    access.wire = net.wire
    local request = net.wire.request
    net.wire.request = function(spec)
      task.sleep(60)
      return request(spec)
    end
    task.loop(function()
      local turn = task.run(renew.run, access)
      task.sleep(20)
      task.cancel(turn)
      task.join(turn)
      assert.is_true(task.is_cancelled(turn.err))
    end)
    assert.equal("r2", access.store:get("x").refresh_token)
  end)

  it("exchanges when that is due, with the old one as long as the network is away", function()
    access.section =
      { client_id = "me", token_url = SECTION.token_url, exchange_url = "https://e/x" }
    keep({ exchange = { token = "e1", expires_at = play.NOW_S + 301 } })
    assert.equal("e1", run().exchange.token)
    keep({ exchange = { token = "e1", expires_at = play.NOW_S + 200 } })
    assert.equal("e1", run({ "refused" }).exchange.token)
    assert.equal("e2", run({ { 200, { token = "e2" } } }).exchange.token)
    assert.equal("e2", access.store:get("x").exchange.token)
    keep({ exchange = { token = "e1", expires_at = play.NOW_S } })
    local record, _, needs_login = run({ { 401, {} } })
    assert.is_nil(record)
    assert.is_true(needs_login)
  end)

  it("renews what the API refused, unless another panto has done so", function()
    keep({ expires_at = play.NOW_S + 3600, refresh_token = "r1" })
    access.refused = "old-access"
    local answer = { 200, { access_token = "new", refresh_token = "r2", expires_in = 3600 } }
    assert.equal("new", run({ answer }).access_token)
    local record, _, _, sent = run({ answer })
    assert.equal("new", record.access_token)
    assert.equal(0, #sent)
  end)

  it("keeps a refresh token that could not be tried", function()
    keep({ expires_at = play.NOW_S + 3600, refresh_token = "r1" })
    access.refused = "old-access"
    local record, message = run({ { 500, {} } })
    assert.is_nil(record)
    assert.is_truthy(message:find("cannot be renewed", 1, true))
    assert.equal("r1", access.store:get("x").refresh_token)
    assert.equal(play.NOW_S + 3600, access.store:get("x").expires_at)
  end)
end)
