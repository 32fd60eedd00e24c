local anthropic = require("panto.provider.anthropic_decode")
local chat = require("panto.provider.openai_chat_decode")
local json = require("panto.base.json")
local repeated = require("panto.provider.repeated")

local function event(data, name)
  return { event = name or "message", data = data }
end

local function around(text)
  return event('{"id":"1","delta":{"content":' .. json.encode(text) .. '},"finish":null}')
end

describe("provider.repeated", function()
  it("reads the string of an event that differs in nothing else", function()
    local reader = repeated.new("content")
    assert.is_nil(reader:read(around("one")))
    reader:keep(around("one"), "one")
    for _, text in ipairs({ "two", "", 'a "quote" \\ and\n', "é 中 \u{1F600}", '","content":"x' }) do
      assert.equal(text, reader:read(around(text)))
    end
  end)

  it("leaves every other event alone", function()
    local reader = repeated.new("content")
    reader:keep(around("one"), "one")
    assert.is_nil(reader:read(event('{"id":"2","delta":{"content":"x"},"finish":null}')))
    assert.is_nil(reader:read(event('{"id":"1","delta":{"content":"x"},"finish":"stop"}')))
    assert.is_nil(reader:read(event('{"id":"1","delta":{"content":"x","a":"y"},"finish":null}')))
    assert.is_nil(reader:read(event(around("x").data, "error")))
    assert.is_nil(reader:read(event('{"id":"1","delta":{"content":"a\1b"},"finish":null}')))
    assert.is_nil(reader:read(event('{"id":"1","delta":{"content":"\\"},"finish":null}')))
    assert.is_nil(reader:read(event('{"id":"1","delta":{"content":"\\x"},"finish":null}')))
    assert.is_nil(reader:read(event('{"id":"1","delta":{"content":"a\\\1"},"finish":null}')))
  end)

  it("mends broken UTF-8 as the decoder does, and takes codes of characters", function()
    local reader = repeated.new("content")
    reader:keep(around("one"), "one")
    local body = '{"id":"1","delta":{"content":"%s"},"finish":null}'
    assert.equal("a\u{FFFD}b", reader:read(event(body:format("a\xFFb"))))
    assert.equal("é\u{1F600}", reader:read(event(body:format("\\u00e9\\ud83d\\ude00"))))
  end)

  it("keeps nothing of an event in which the string stands twice", function()
    local reader = repeated.new("content")
    local twice = event('{"content":"a","delta":{"content":"a"}}')
    reader:keep(twice, "a")
    assert.is_nil(reader:read(twice))
  end)

  it("gives the same items as decoding every event in full", function()
    local pieces = { "Hel", "lo ", '"x"', "\n\n", "wörld", "a", "a" }
    local first, items = chat.new(), {}
    for index, text in ipairs(pieces) do
      local body = '{"choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}'
      items[index] = first:feed(event(body:format(json.encode(text))))
      assert.same({ { type = "text_delta", delta = text } }, items[index])
    end
    local second = anthropic.new()
    local start =
      '{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}'
    second:feed(event(start, "content_block_start"))
    for _, text in ipairs(pieces) do
      local body =
        '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%s}}'
      local got = second:feed(event(body:format(json.encode(text)), "content_block_delta"))
      assert.same({ { type = "text_delta", delta = text } }, got)
    end
  end)
end)
