-- Thirty turns with tools, each answer decoded as it would come: what was sent once is sent so again.

local codec = require("panto.provider.anthropic_messages")
local json = require("panto.base.json")
local message = require("panto.agent.message")

local TURNS = 30
local provider = { name = "p", style = "anthropic_messages", base_url = "http://127.0.0.1:1" }
local model = { alias = "m", max_tokens = 64000, thinking = "enabled" }
local tools = {
  { name = "std_write", description = "writes", schema = { type = "object", required = { "p" } } },
  { name = "std_read", description = "reads", schema = { type = "object", properties = {} } },
}

local function answer(events)
  local decoder, fold = codec.decoder(), message.new({ style = provider.style, provider = "p" })
  events[#events + 1] = { type = "message_delta", delta = { stop_reason = "end_turn" } }
  for _, event in ipairs(events) do
    for _, item in ipairs(decoder:feed({ event = event.type, data = json.encode(event) })) do
      fold:add(item)
    end
  end
  for _, item in ipairs(decoder:finish()) do
    fold:add(item)
  end
  -- As a session log gives it back.
  return json.decode(json.encode((fold:message())))
end

local function block(index, value)
  return { type = "content_block_start", index = index, content_block = value }
end

local function thoughtful_calls(turn)
  local first, second = "toolu_" .. turn .. "a", "toolu_" .. turn .. "b"
  return answer({
    block(0, { type = "thinking", thinking = "turn " .. turn, signature = "sig" .. turn }),
    { type = "content_block_stop", index = 0 },
    block(1, { type = "redacted_thinking", data = "xyz" }),
    { type = "content_block_stop", index = 1 },
    block(2, { type = "tool_use", id = first, name = "std_read" }),
    {
      type = "content_block_delta",
      index = 2,
      delta = { type = "input_json_delta", partial_json = '{ "z": 1.50, "path": "ä" }' },
    },
    { type = "content_block_stop", index = 2 },
    block(3, { type = "tool_use", id = second, name = "std_read", input = { b = 1, a = 2 } }),
    { type = "content_block_stop", index = 3 },
  }),
    first,
    second
end

local function result(id, content)
  return { role = "tool", tool_call_id = id, tool_name = "std_read", content = content }
end

local function send(history)
  local request = { system = "You are\nbrief.", tools = tools, messages = history }
  local body = codec.encode(request, provider, model).body
  assert(json.decode(body))
  return body
end

describe("thirty turns of a messages session", function()
  it("begin each request with the bytes of the one before", function()
    local history, former, compared = {}, nil, 0
    local image = { type = "image", media_type = "image/png", data = "QQ==" }
    local function ask()
      local body = send(history)
      if former then
        -- All but the ends of the list and of the object.
        local prefix = former:sub(1, -3)
        assert.are.equal("]}", former:sub(-2))
        assert.are.equal(prefix, body:sub(1, #prefix))
        assert.are.equal(",", body:sub(#prefix + 1, #prefix + 1))
        compared = compared + 1
      end
      former = body
    end
    for turn = 1, TURNS do
      local said = { { type = "text", text = "question " .. turn .. " \xff" } }
      history[#history + 1] = { role = "user", content = said }
      ask()
      local called, first, second = thoughtful_calls(turn)
      history[#history + 1] = called
      history[#history + 1] = result(second, { { type = "text", text = "b" }, image })
      history[#history + 1] = result(first, {})
      if turn % 5 == 0 then
        local steer = { { type = "text", text = "rather so" } }
        history[#history + 1] = { role = "user", content = steer }
      end
      ask()
      local text = { type = "text", text = "answer " .. turn .. "\n" }
      history[#history + 1] = answer({ block(0, text) })
    end
    assert.are.equal(2 * TURNS - 1, compared)
  end)
end)
