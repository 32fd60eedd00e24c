-- In a Lua without panto's host the rooms of sys/ cannot load; the client then gets only fakes.
if not pcall(require, "panto.host") then
  for _, name in ipairs({ "panto.sys.http", "panto.sys.clock" }) do
    package.loaded[name] = package.loaded[name] or {}
  end
  package.loaded["panto.sys.task"] = package.loaded["panto.sys.task"]
    or { current = function() end }
end

local client = require("panto.provider.client")

-- Sends one request and returns it as it went out.
local function sent(provider, credential)
  provider.name, provider.style = "p", "anthropic_messages"
  local wire
  local http = {
    request = function(spec)
      wire = spec
      return nil, { kind = "invalid", message = "enough" }
    end,
  }
  local items = client.stream({
    provider = provider,
    model = {
      alias = "m",
      max_tokens = 64000,
      thinking = "enabled",
      thinking_interleaved = true,
    },
    credential = credential or { token = "key" },
    request = { system = "s", messages = {} },
    http = http,
    now_ms = function()
      return 0
    end,
  })
  repeat
    local item = items()
  until not item
  return wire
end

describe("the client of a messages API", function()
  it("adds a user's betas to those that the request needs", function()
    local more = { ["Anthropic-Beta"] = "mine-1,mine-2", ["x-team"] = "t" }
    local wire = sent({ base_url = "http://h/v1", extra_headers = more })
    local beta = wire.headers["anthropic-beta"]
    assert.are.equal("interleaved-thinking-2025-05-14,mine-1,mine-2", beta)
    assert.are.equal("t", wire.headers["x-team"])
  end)

  it("finds the path behind every form of the base URL", function()
    for base, url in pairs({
      ["http://h"] = "http://h/v1/messages",
      ["http://h/"] = "http://h/v1/messages",
      ["http://h/v1"] = "http://h/v1/messages",
      ["http://h/v1/messages"] = "http://h/v1/messages",
      ["http://h/anthropic"] = "http://h/anthropic/v1/messages",
      ["http://h/api/v1?k=1"] = "http://h/api/v1/messages?k=1",
    }) do
      assert.are.equal(url, sent({ base_url = base }).url)
    end
    local login = { token = "t", scheme = "bearer", base_url = "http://other" }
    local wire = sent({ base_url = "http://h/v1" }, login)
    assert.are.equal("http://other/v1/messages", wire.url)
    assert.are.equal("Bearer t", wire.headers.authorization)
    assert.is_nil(wire.headers["x-api-key"])
  end)
end)
