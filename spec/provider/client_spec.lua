-- In a Lua without panto's host the rooms of sys/ cannot load; the client then gets only fakes.
if not pcall(require, "panto.host") then
  for _, name in ipairs({ "panto.sys.http", "panto.sys.clock" }) do
    package.loaded[name] = package.loaded[name] or {}
  end
  package.loaded["panto.sys.task"] = package.loaded["panto.sys.task"]
    or { current = function() end }
end

local client = require("panto.provider.client")
local codecs = require("panto.provider.codecs")
local json = require("panto.base.json")

local function event(delta, finish)
  local choice = { index = 0, delta = delta, finish_reason = finish or json.null }
  return "data: " .. json.encode({ choices = { choice } }) .. "\n\n"
end

local HELLO = event({ content = "Hello" }) .. event({}, "stop") .. "data: [DONE]\n\n"

-- A response as sys/http gives it: chunks, then perhaps a failure.
local function response(fields)
  local chunks = fields.chunks or { fields.body }
  local self = { status = fields.status or 200, headers = fields.headers or {}, closed = false }
  local index = 0
  self.body = function()
    index = index + 1
    if chunks[index] == nil then
      self.failure = fields.failure
    end
    return chunks[index]
  end
  function self.read_all()
    local pieces = {}
    for chunk in self.body do
      pieces[#pieces + 1] = chunk
    end
    if self.failure then
      return nil, self.failure
    end
    return table.concat(pieces)
  end
  function self.close()
    self.closed = true
  end
  return self
end

-- Runs one stream over scripted responses and returns items, waits, sent requests, responses.
local function run(script, options)
  local seen = { items = {}, waits = {}, sent = {}, responses = {} }
  local spec = {
    provider = {
      name = "openai",
      style = "openai_chat",
      base_url = "http://h/v1/",
      auth = "openai",
      extra_headers = { ["X-Team"] = "t" },
    },
    model = { alias = "a", model = "gpt", max_tokens = 5 },
    credential = { token = "sk-secret", variable = "OPENAI_API_KEY" },
    request = { system = "s", messages = {}, tools = {} },
    http = {
      request = function(sent)
        seen.sent[#seen.sent + 1] = sent
        local item = script[#seen.sent]
          or { failure = { kind = "closed", message = "script ended" } }
        if item.status or item.body or item.chunks then
          local made = response(item)
          seen.responses[#seen.responses + 1] = made
          return made
        end
        return nil, item.failure
      end,
    },
    sleep = function(ms)
      seen.waits[#seen.waits + 1] = ms
    end,
    now_ms = function()
      return 0
    end,
    random = function()
      return 0
    end,
  }
  for key, value in pairs(options or {}) do
    spec[key] = value
  end
  for item in client.stream(spec) do
    seen.items[#seen.items + 1] = item
  end
  seen.last = seen.items[#seen.items]
  return seen
end

local function types(seen)
  local out = {}
  for index, item in ipairs(seen.items) do
    out[index] = item.type
  end
  return table.concat(out, " ")
end

describe("the client", function()
  it("sends one request with every header and yields the items", function()
    local seen = run({ { body = HELLO } })
    assert.are.equal("text_delta stop", types(seen))
    local sent = seen.sent[1]
    assert.are.equal("http://h/v1/chat/completions", sent.url)
    assert.are.equal("POST", sent.method)
    assert.are.equal("Bearer sk-secret", sent.headers.authorization)
    assert.are.equal("t", sent.headers["x-team"])
    assert.are.equal("application/json", sent.headers["content-type"])
    assert.are.equal(300000, sent.idle_timeout_ms)
  end)

  it("reads a body that comes byte by byte", function()
    local chunks = {}
    for index = 1, #HELLO do
      chunks[index] = HELLO:sub(index, index)
    end
    assert.are.equal("text_delta stop", types(run({ { chunks = chunks } })))
  end)

  it("tries again up to five times, and then tells", function()
    local busy = { status = 529, body = '{"error":{"message":"busy"}}' }
    local seen = run({ busy, busy, busy, busy, busy, busy })
    assert.are.equal("retry retry retry retry error", types(seen))
    assert.are.same({ 2000, 4000, 8000, 16000 }, seen.waits)
    assert.are.equal(5, #seen.sent)
    assert.are.equal(1, seen.items[1].attempt)
    assert.are.equal(5, seen.items[1].max_attempts)
    assert.are.equal("overloaded", seen.last.kind)
    assert.are.equal(529, seen.last.status)
  end)

  it("waits as the server asks and goes on", function()
    local seen = run({
      { status = 429, body = "slow", headers = { ["retry-after-ms"] = "123" } },
      { body = HELLO },
    })
    assert.are.equal("retry text_delta stop", types(seen))
    assert.are.same({ 123 }, seen.waits)
    assert.are.equal("openai: 429 too many requests (slow)", seen.items[1].message)
  end)

  it("drops the partial text of a cut stream before it begins again", function()
    local failure = { kind = "protocol", message = "peer closed connection" }
    local seen =
      run({ { chunks = { event({ content = "Hel" }) }, failure = failure }, { body = HELLO } })
    assert.are.equal("text_delta retry restart text_delta stop", types(seen))
    local clean = run({ { body = event({ content = "Hel" }) }, { body = HELLO } })
    assert.are.equal("text_delta retry restart text_delta stop", types(clean))
  end)

  it("takes an answer as whole when only its end is missing", function()
    local failure = { kind = "protocol", message = "peer closed connection" }
    local seen = run({ { chunks = { event({ content = "x" }, "stop") }, failure = failure } })
    assert.are.equal("text_delta stop", types(seen))
  end)

  it("tries again after a failed connection and a silence, not after a bad URL", function()
    local seen = run({ { failure = { kind = "connect", message = "refused" } }, { body = HELLO } })
    assert.are.equal("retry text_delta stop", types(seen))
    local idle = run({
      {
        chunks = { event({ content = "x" }) },
        failure = { kind = "timeout", message = "silence" },
      },
    }, { retry = { max_attempts = 1 } })
    assert.are.equal("text_delta error", types(idle))
    assert.are.equal("timeout", idle.last.kind)
    local bad = run({ { failure = { kind = "invalid", message = "no such scheme" } } })
    assert.are.equal("error", types(bad))
  end)

  it("does not try again what stays wrong", function()
    local final = {
      { 401, '{"error":{"message":"no"}}', "auth" },
      { 403, "", "auth" },
      { 429, '{"error":{"message":"m","code":"insufficient_quota"}}', "quota" },
      { 400, '{"error":{"message":"m"}}', "bad_request" },
      { 404, "", "not_found" },
      { 400, '{"error":{"message":"m","code":"context_length_exceeded"}}', "overflow" },
    }
    for _, case in ipairs(final) do
      local seen = run({ { status = case[1], body = case[2] } })
      assert.are.equal("error", types(seen), case[3])
      assert.are.equal(case[3], seen.last.kind)
    end
  end)

  it("says which key to check, and never shows it", function()
    local seen = run({ { status = 401, body = '{"error":{"message":"Incorrect key sk-secret"}}' } })
    assert.are.equal(
      "openai: 401 bad key (Incorrect key [secret]): check OPENAI_API_KEY",
      seen.last.message
    )
    local inside =
      run({ { body = 'data: {"error":{"message":"sk-secret is bad","code":400}}\n\n' } })
    assert.is_nil(inside.last.message:find("sk-secret", 1, true))
  end)

  it("retries an error inside of a stream that may go away", function()
    local body = event({ content = "x" })
      .. 'data: {"error":{"message":"m","type":"overloaded_error"}}\n\n'
    local seen = run({ { body = body }, { body = HELLO } })
    assert.are.equal("text_delta retry restart text_delta stop", types(seen))
  end)

  it("reads good answers that are no stream, and names those it cannot read", function()
    local whole = '{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'
    local seen = run({ { body = whole, headers = { ["content-type"] = "application/json" } } })
    assert.are.equal("text_delta stop", types(seen))
    local json_error = run({ { body = '{"error":{"message":"bad model","code":404}}' } })
    assert.are.equal("not_found", json_error.last.kind)
    for _, body in ipairs({ "<html>Sign in</html>", "upstream connect error" }) do
      local plain = run({ { body = body } })
      assert.are.equal("error", types(plain))
      assert.are.equal("invalid", plain.last.kind)
    end
  end)

  it("gives up, once, on a line without an end, and shows nothing of it", function()
    for _, start in ipairs({ "", "data: ", '{"a": "', ": " }) do
      local chunks = { start }
      for index = 2, 20 do
        chunks[index] = ("x"):rep(1024 * 1024)
      end
      local seen = run({ { chunks = chunks } })
      assert.are.equal("error", types(seen))
      assert.are.equal("invalid", seen.last.kind)
      assert.is_truthy(seen.last.message:find("is longer than 16 MB", 1, true))
      assert.is_falsy(seen.last.message:find("xx", 1, true))
      assert.is_true(seen.responses[1].closed)
      assert.are.equal(1, #seen.sent)
    end
  end)

  it("tries again after a good status with nothing in it", function()
    assert.are.equal("retry text_delta stop", types(run({ { body = "" }, { body = HELLO } })))
    assert.are.equal(
      "retry text_delta stop",
      types(run({ { body = 'data: {"cho' }, { body = HELLO } }))
    )
  end)

  it("closes every response", function()
    local seen = run({ { status = 500, body = "x" }, { body = HELLO } })
    for _, made in ipairs(seen.responses) do
      assert.is_true(made.closed)
    end
  end)

  it("lets a hook change the request, and knows no unknown style", function()
    local seen = run({ { body = HELLO } }, {
      on_request = function(wire)
        wire.headers["x-more"] = "1"
      end,
    })
    assert.are.equal("1", seen.sent[1].headers["x-more"])
    local odd = run({}, { provider = { name = "odd", style = "smtp" } })
    assert.are.equal(
      ('odd: unknown style "smtp": allowed are %s: check [providers.odd]'):format(
        table.concat(codecs.styles(), ", ")
      ),
      odd.last.message
    )
  end)

  it("keeps a query of the base URL behind the path", function()
    local provider = { name = "az", style = "openai_chat", base_url = "http://h/d?api-version=1" }
    assert.are.equal(
      "http://h/d/chat/completions?api-version=1",
      run({ { body = HELLO } }, { provider = provider }).sent[1].url
    )
  end)
end)
