local client = require("panto.provider.client")
local script = require("panto.provider.script")

local function write_file(name, text)
  local path = os.tmpname() .. name
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

local function user(text)
  return { role = "user", content = { { type = "text", text = text } } }
end

local function ask(path, messages)
  local items, waits = {}, {}
  local stream = client.stream({
    provider = { name = "play", style = "script", base_url = path },
    model = { alias = "m", model = "m" },
    request = { system = "", messages = messages or { user("hi") }, tools = {} },
    sleep = function(ms)
      waits[#waits + 1] = ms
    end,
    random = function()
      return 0
    end,
  })
  for item in stream do
    items[#items + 1] = item
  end
  return items, waits
end

local function text_of(items)
  local pieces = {}
  for _, item in ipairs(items) do
    pieces[#pieces + 1] = item.type == "text_delta" and item.delta or nil
  end
  return table.concat(pieces)
end

describe("the style script", function()
  it("plays the step that follows the answers so far", function()
    local path = write_file(".lua", 'return { "one and two", { text = "three" } }')
    assert.equal("one and two", text_of(ask(path)))
    local later = { user("hi"), { role = "assistant", content = {} }, user("again") }
    assert.equal("three", text_of(ask(path, later)))
  end)

  it("says at its end that it is no AI", function()
    local text = text_of(ask(write_file(".json", "[]")))
    assert.is_truthy(text:find("no AI", 1, true))
  end)

  it("calls tools by the names that people know", function()
    local path = write_file(
      ".json",
      '[{"thinking":"hm","calls":[{"name":"std.read","input":{"path":"a"}}],"usage":{"input":3}}]'
    )
    local items = ask(path)
    local kinds = {}
    for i, item in ipairs(items) do
      kinds[i] = item.type
    end
    assert.same({
      "thinking_delta",
      "tool_call_start",
      "tool_call_delta",
      "tool_call_end",
      "usage",
      "stop",
    }, kinds)
    assert.equal("std_read", items[2].name)
    assert.equal('{"path":"a"}', items[3].delta)
    assert.equal("tool_use", items[6].reason)
  end)

  it("lets a function see the request", function()
    local path = write_file(
      ".lua",
      "return function(request, number) "
        .. "return number .. request.messages[1].content[1].text end"
    )
    assert.equal("1hi", text_of(ask(path)))
  end)

  it("fails as a server does, as often as it says, and is asked again", function()
    local path = write_file(
      ".lua",
      'return { { fail = { { status = 503, message = "busy" } }, text = "now" } }'
    )
    local items, waits = ask(path)
    assert.equal("retry", items[1].type)
    assert.equal("now", text_of(items))
    assert.equal(1, #waits)
  end)

  it("breaks off in the middle with the error that it names", function()
    local path = write_file(
      ".lua",
      'return { { text = "half", error = { kind = "refusal", message = "no" } } }'
    )
    local items = ask(path)
    assert.equal("half", text_of(items))
    assert.equal("error", items[#items].type)
    assert.equal("refusal", items[#items].kind)
  end)

  it("names a script that is missing, does not compile or is no script", function()
    local function message_of(path)
      local items = ask(path)
      return items[#items].message
    end
    assert.is_truthy(message_of("/no/such.lua"):find("/no/such.lua", 1, true))
    assert.is_truthy(message_of(write_file(".lua", "return {")):find("expected", 1, true))
    assert.is_truthy(message_of(write_file(".lua", "return 7")):find("list of steps", 1, true))
  end)

  it("has a decoder that notices a script without an end", function()
    assert.equal("cut", script.decoder():finish()[1].kind)
  end)
end)
