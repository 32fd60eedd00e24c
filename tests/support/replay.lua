-- Replays recorded streams of one style through the event parser, the decoder and the message fold.
-- usage: lua replay.lua ROOT CASES.jsonl SEED CUTS [STYLE] > results.jsonl

local root, cases, seed, cuts = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4])
local style = arg[5] or "openai_chat"
package.path = root .. "/lua/?.lua;" .. root .. "/lua/?/init.lua;" .. package.path

local codec = require("panto.provider." .. style)
local json = require("panto.base.json")
local message = require("panto.agent.message")
local sse = require("panto.base.sse")

math.randomseed(seed)

local function feed(decoder, fold, events, is_tail, seen)
  for _, event in ipairs(events) do
    event.is_tail = is_tail
    for _, item in ipairs(decoder:feed(event)) do
      seen[item.type] = (seen[item.type] or 0) + 1
      fold:add(item)
    end
  end
end

-- Reads the body in pieces of `size` bytes; nil: all at once.
local function replay(body, size)
  local parser, decoder = sse.new(), codec.decoder()
  local fold, seen = message.new({ style = style }), {}
  size = size or math.max(1, #body)
  for from = 1, #body, size do
    local events = parser:feed(body:sub(from, from + size - 1))
    if events[1] then
      feed(decoder, fold, events, nil, seen)
    end
  end
  feed(decoder, fold, parser:finish(), true, seen)
  for _, item in ipairs(decoder:finish()) do
    seen[item.type] = (seen[item.type] or 0) + 1
    fold:add(item)
  end
  return fold, seen
end

local function describe(fold, seen)
  local out, err = fold:message()
  local found = { text = "", reasoning = "", calls = json.array({}), inline = false }
  for _, part in ipairs(out.content) do
    if part.type == "text" then
      found.text = found.text .. part.text
    elseif part.type == "thinking" then
      found.reasoning = found.reasoning .. part.text
      found.inline = found.inline or part.field == "content"
    elseif part.type == "tool_call" then
      found.calls[#found.calls + 1] = json.array({ part.id, part.name, part.arguments })
    end
  end
  found.parts = out.content
  found.stop, found.usage, found.error = fold.stop, out.usage, err
  found.stop_reason, found.ends = out.stop_reason, seen.tool_call_end or 0
  return found
end

for line in io.lines(cases) do
  local case = assert(json.decode(line))
  local result = { id = case.id }
  result.whole = describe(replay(case.body))
  result.bytewise = describe(replay(case.body, 1))
  result.cuts = json.array({})
  for index = 1, cuts do
    local at = math.random(0, #case.body - 1)
    local found = describe(replay(case.body:sub(1, at), math.random(1, 4096)))
    found.at = at
    result.cuts[index] = found
  end
  io.write(json.encode(result), "\n")
end
