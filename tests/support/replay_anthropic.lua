-- Replays recorded messages streams through the event parser, the decoder and the message fold, and
-- encodes what came out as the history of a next request.
-- usage: lua replay_anthropic.lua ROOT CASES.jsonl SEED CUTS > results.jsonl

local root, cases, seed, cuts = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4])
package.path = root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua;" .. package.path

local codec = require("panto.provider.anthropic_messages")
local json = require("panto.base.json")
local message = require("panto.agent.message")
local sse = require("panto.base.sse")

local ORIGIN = { style = "anthropic_messages", provider = "p", model = "m" }
local PROVIDER = { name = "p", style = "anthropic_messages", base_url = "http://127.0.0.1:1" }
local MODEL = { alias = "m", max_tokens = 100 }

math.randomseed(seed)

local function feed(state, events, is_tail)
  for _, event in ipairs(events) do
    event.is_tail = is_tail
    for _, item in ipairs(state.decoder:feed(event)) do
      state.seen[item.type] = (state.seen[item.type] or 0) + 1
      state.fold:add(item)
    end
  end
end

-- Reads the body in pieces of `size` bytes, as the client does: no further than the answer's end.
local function replay(body, size)
  local parser = sse.new()
  local state = { decoder = codec.decoder(), fold = message.new(ORIGIN), seen = {} }
  for from = 1, #body, size do
    feed(state, parser:feed(body:sub(from, from + size - 1)))
    if state.decoder.done then
      break
    end
  end
  feed(state, parser:finish(), true)
  for _, item in ipairs(state.decoder:finish()) do
    state.seen[item.type] = (state.seen[item.type] or 0) + 1
    state.fold:add(item)
  end
  return state
end

-- What the next request says that the model said.
local function encode_again(said)
  -- As a session log keeps it.
  local kept = json.decode(json.encode(said))
  local ask = { role = "user", content = { { type = "text", text = "go" } } }
  local request = { system = "s", messages = { ask, kept, ask } }
  local sent = json.decode(codec.encode(request, PROVIDER, MODEL).body).messages
  return sent[2] and sent[2].content or json.array({})
end

local function describe(state)
  local said, err = state.fold:message()
  local found = { text = "", calls = json.array({}), error = err, stop = state.fold.stop }
  for _, part in ipairs(said.content) do
    if part.type == "text" then
      found.text = found.text .. part.text
    elseif part.type == "tool_call" then
      found.calls[#found.calls + 1] = json.array({ part.id, part.name, part.arguments })
    end
  end
  found.blocks, found.usage = encode_again(said), said.usage
  found.stop_reason, found.ends = said.stop_reason, state.seen.tool_call_end or 0
  return found
end

for line in io.lines(cases) do
  local case = assert(json.decode(line))
  local result = { id = case.id, cuts = json.array({}) }
  result.whole = describe(replay(case.body, #case.body))
  result.bytewise = describe(replay(case.body, 1))
  for index = 1, cuts do
    local at = math.random(0, #case.body - 1)
    local found = describe(replay(case.body:sub(1, at), math.random(1, 4096)))
    result.cuts[index] = { at = at, error = found.error, calls = found.calls, ends = found.ends }
  end
  io.write(json.encode(result), "\n")
end
