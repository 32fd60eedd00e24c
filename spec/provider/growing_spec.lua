local codecs = require("panto.provider.codecs")
local growing = require("panto.provider.growing")

local STYLES = { "openai_chat", "openai_responses", "anthropic_messages" }
local MODEL = { alias = "m", model = "m-1" }

local function part(dice, style)
  local kind = dice(6)
  if kind == 1 then
    return { type = "thinking", text = "hm", field = "reasoning_content", signature = "s" }
  elseif kind == 2 then
    return {
      type = "opaque",
      style = style,
      value = { type = "reasoning", encrypted_content = "x" },
    }
  elseif kind == 3 then
    return { type = "image", media_type = "image/png", data = "QUJD" }
  end
  return { type = "text", text = ("word %d "):format(dice(9)) }
end

local function assistant(dice, style, calls)
  local content = {}
  for i = 1, dice(3) do
    content[i] = part(dice, style)
  end
  for _ = 1, calls do
    local id = ("call_%d"):format(dice(4)) -- ids come again
    content[#content + 1] =
      { type = "tool_call", id = id, name = "std_shell", arguments = "{}", input = {} }
  end
  local origin = dice(3) > 1 and { provider = "p", style = style, model = "m" }
    or { style = "else" }
  return {
    role = "assistant",
    content = content,
    provider = origin.provider,
    style = origin.style,
    model = origin.model,
  }
end

-- A history as sessions are, and as they are only after accidents: lost results, stray ones.
local function history(seed, style)
  local state = seed
  local function dice(sides)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % sides + 1
  end
  local list = {}
  while #list < 24 do
    list[#list + 1] = { role = "user", content = { part(dice, style), part(dice, style) } }
    local answer = assistant(dice, style, dice(3) - 1)
    list[#list + 1] = answer
    for _, one in ipairs(answer.content) do
      if one.type == "tool_call" and dice(8) > 1 then
        list[#list + 1] = {
          role = "tool",
          tool_call_id = one.id,
          tool_name = "std_shell",
          content = { part(dice, style) },
        }
      end
    end
  end
  return list
end

describe("a history that grows", function()
  for _, style in ipairs(STYLES) do
    it("is encoded as the whole one is: " .. style, function()
      local encode = codecs.get(style).encode
      local provider = { name = "p", style = style, base_url = "http://x" }
      for seed = 1, 40 do
        local all, kept = history(seed, style), {}
        local step = seed % 3 + 1
        for last = step, #all, step do
          local messages = table.move(all, 1, last, 1, {})
          local request = { system = "be short", messages = messages, tools = {} }
          local whole = encode(request, provider, MODEL).body
          request.kept = kept
          assert.are.equal(whole, encode(request, provider, MODEL).body)
          assert.are.equal(whole, encode(request, provider, MODEL).body)
        end
      end
    end)

    it("is encoded anew when another was before it: " .. style, function()
      local encode = codecs.get(style).encode
      local provider = { name = "p", style = style, base_url = "http://x" }
      local one, other, kept = history(1, style), history(2, style), {}
      local fork = table.move(one, 1, 10, 1, {})
      for _, messages in ipairs({ one, other, one, fork, { one[1] } }) do
        local whole = encode({ messages = messages }, provider, MODEL).body
        assert.are.equal(whole, encode({ messages = messages, kept = kept }, provider, MODEL).body)
      end
      local others = { name = "q", style = style, base_url = "http://x" }
      encode({ messages = one, kept = kept }, provider, MODEL)
      local whole = encode({ messages = one }, others, MODEL).body
      assert.are.equal(whole, encode({ messages = one, kept = kept }, others, MODEL).body)
    end)
  end

  for _, style in ipairs(STYLES) do
    it("has the tools of its request: " .. style, function()
      local encode = codecs.get(style).encode
      local provider = { name = "p", style = style, base_url = "http://x" }
      local one = { { name = "a", description = "A", schema = { type = "object" } } }
      local other = { { name = "b", description = "B" } }
      local messages, kept = { { role = "user", content = { { type = "text", text = "x" } } } }, {}
      for _, tools in ipairs({ one, one, other, {}, one }) do
        local whole = encode({ messages = messages, tools = tools }, provider, MODEL).body
        local request = { messages = messages, tools = tools, kept = kept }
        assert.are.equal(whole, encode(request, provider, MODEL).body)
      end
      local none = encode({ messages = messages }, provider, MODEL).body
      assert.are.equal(none, encode({ messages = messages, kept = kept }, provider, MODEL).body)
    end)
  end

  it("is encoded anew when the provider of its name was read anew", function()
    local encode = codecs.get("openai_chat").encode
    local asked = { role = "assistant", provider = "p", style = "openai_chat", content = {} }
    asked.content[1] = { type = "text", text = "x" }
    local request = { messages = { asked }, kept = {} }
    local made = {}
    for _, provider in ipairs({ { name = "p" }, { name = "p" } }) do
      encode(request, provider, MODEL)
      made[#made + 1] = request.kept.history.encoder
      encode(request, provider, MODEL)
      assert.are.equal(made[#made], request.kept.history.encoder)
    end
    assert.are_not.equal(made[1], made[2])
    assert.are_not.equal(made[1].provider, made[2].provider)
  end)

  it("is taken message by message, each once", function()
    local taken, messages, request = 0, {}, { kept = {} }
    request.messages = messages
    local encoder = {
      add = function()
        taken = taken + 1
      end,
      close = function() end,
    }
    for i = 1, 200 do
      messages[i] = { role = "user", content = {} }
      growing.encode(request, { "key" }, function()
        return encoder
      end)
    end
    assert.are.equal(200, taken)
  end)
end)
