local compaction = require("panto.agent.compaction")
local context = require("panto.agent.context")
local json = require("panto.base.json")

local function user(text)
  return { role = "user", content = { { type = "text", text = text } } }
end

local function assistant(text, usage)
  return { role = "assistant", content = { { type = "text", text = text } }, usage = usage }
end

local function calling(id, name, input)
  local part = { type = "tool_call", id = id, name = name, input = input }
  part.arguments = json.encode(input)
  return { role = "assistant", content = { part } }
end

local function result(id, text, is_error)
  return {
    role = "tool",
    tool_call_id = id,
    tool_name = "std_read",
    content = { { type = "text", text = text } },
    is_error = is_error,
  }
end

local function tokens(count)
  return ("abcdefg "):rep(count // 2)
end

local function answer(text, stop)
  return { { type = "text_delta", delta = text }, { type = "stop", reason = stop or "stop" } }
end

local function overflow()
  return { { type = "error", kind = "overflow", message = "too long" } }
end

-- A log that keeps nothing but what the next request needs.
local function world(messages, options)
  local self =
    { messages = messages, requests = {}, told = {}, events = {}, records = {}, trims = {} }
  options = options or {}
  local answers = options.answers or {}
  self.keeper = compaction.new({
    messages = messages,
    prompt = "summarise",
    limits = function()
      return {
        keep = options.keep or 2000,
        window = options.window,
        max_tokens = options.max_tokens or 1000,
      }
    end,
    fixed = function()
      return options.fixed or 100
    end,
    summarizer = function(most)
      self.most = most
      return {
        window = options.summary_window,
        max_tokens = most,
        stream = function(request)
          table.insert(self.requests, request)
          local items = answers[#self.requests] or answer("summary " .. #self.requests)
          if type(items) == "function" then
            return items
          end
          local at = 0
          return function()
            at = at + 1
            return items[at]
          end
        end,
      }
    end,
    save = function(made)
      table.insert(self.records, made)
      local list, keeping = {}, false
      list[1] = user("<summary>\n" .. made.summary .. "\n</summary>")
      list[1].summary = true
      for _, message in ipairs(messages) do
        keeping = keeping or message == made.first
        list[#list + 1] = keeping and message or nil
      end
      return list
    end,
    save_trim = function(mark, count)
      table.insert(self.trims, { mark = mark, tokens = count })
    end,
    spent = function(usage)
      self.spent = usage
    end,
    emit = function(name, payload)
      table.insert(self.events, { name = name, payload = payload })
      return payload
    end,
    tell = function(level, text)
      table.insert(self.told, level .. ": " .. text)
    end,
    working = function(is_working)
      self.working = is_working
    end,
    base = options.base,
    mark = options.mark,
  })
  return self
end

local function conversation(rounds, size)
  local messages = { user("make the parser faster, please") }
  for i = 1, rounds do
    messages[#messages + 1] = assistant(("step %d "):format(i) .. tokens(size or 1000))
    messages[#messages + 1] = user(("go on %d"):format(i))
  end
  return messages
end

local function first_text(messages)
  return messages[1].content[1].text
end

local function is_valid(messages)
  local open = {}
  for _, message in ipairs(messages) do
    if message.role == "tool" then
      if not open[message.tool_call_id] then
        return false
      end
      open[message.tool_call_id] = nil
    else
      if next(open) then
        return false
      end
      for _, part in ipairs(message.content) do
        if part.type == "tool_call" then
          open[part.id] = true
        end
      end
    end
  end
  return next(open) == nil and messages[1].role == "user"
end

describe("compaction", function()
  it("does nothing while the context is below the trigger", function()
    local w = world(conversation(3), { window = 40000 })
    assert.is_true(w.keeper:check())
    assert.equal(7, #w.messages)
    assert.same({}, w.requests)
  end)

  it("lets a request go that is large only by its prompt and tools", function()
    local w = world({ user("hello") }, { window = 4000, fixed = 3800 })
    for _ = 1, 5 do
      assert.is_true(w.keeper:check())
    end
    assert.same({}, w.told)
    assert.same({}, w.requests)
    local ok, message = w.keeper:recover()
    assert.is_nil(ok)
    assert.truthy(message:find("nothing in it that could be summarised", 1, true))
  end)

  it("does nothing without a window, however long the conversation is", function()
    local w = world(conversation(50))
    assert.is_true(w.keeper:check())
    assert.same({}, w.requests)
  end)

  it("summarises the older part and keeps the end word for word", function()
    local w = world(conversation(30), { window = 40000 })
    local last = w.messages[#w.messages]
    assert.is_true(w.keeper:check())
    assert.equal(1, #w.requests)
    assert.equal("summarise", w.requests[1].system)
    assert.truthy(w.requests[1].messages[1].content[1].text:find("make the parser faster", 1, true))
    assert.same({}, w.requests[1].tools)
    assert.truthy(first_text(w.messages):find("summary 1", 1, true))
    assert.equal(last, w.messages[#w.messages])
    local kept = context.estimate_all(w.messages, 2)
    assert.is_true(kept <= 2000 and kept >= 900, kept)
    assert.is_true(w.keeper:measure() < 4000)
    assert.equal("compaction", w.events[1].name)
    assert.truthy(w.events[1].payload.summary:find("summary 1", 1, true))
    assert.is_true(w.records[1].tokens_before > 20000)
    assert.is_false(w.working)
  end)

  it("goes by what the provider counted, and estimates only what came after", function()
    local messages = conversation(4, 500)
    messages[#messages - 1].usage = { input = 100, cache_read = 24000, output = 500 }
    local w = world(messages, { window = 40000 })
    assert.equal(24600 + context.estimate(messages[#messages]), w.keeper:measure())
    assert.is_true(w.keeper:check())
    assert.equal(1, #w.requests)
    -- Estimates were far too small here, so the kept end is scaled and the old usage forgotten.
    assert.is_true(w.keeper:measure() < 10000)
  end)

  it("never parts a call from its result", function()
    for keep = 500, 6000, 500 do
      local messages = { user("go") }
      for i = 1, 30 do
        messages[#messages + 1] = calling("a" .. i, "std_read", { path = "f" .. i })
        messages[#messages].content[2] =
          { type = "tool_call", id = "b" .. i, name = "std_shell", arguments = "{}", input = {} }
        messages[#messages + 1] = result("a" .. i, tokens(700))
        messages[#messages + 1] = result("b" .. i, tokens(300))
        messages[#messages + 1] = i % 4 == 0 and assistant("so far " .. tokens(300)) or nil
        messages[#messages + 1] = i % 4 == 0 and user("and now") or nil
      end
      local w = world(messages, { keep = keep })
      assert.is_true(w.keeper:run())
      assert.is_true(is_valid(w.messages), "keep " .. keep)
      assert.not_equal("tool", w.messages[2].role)
    end
  end)

  it("trims old tool outputs instead, when that suffices, and always in the same way", function()
    local messages = { user("read all of it") }
    for i = 1, 30 do
      messages[#messages + 1] = calling("c" .. i, "std_read", { path = "f" .. i })
      messages[#messages + 1] = result("c" .. i, tokens(1000))
    end
    local w = world(messages, { window = 40000 })
    assert.is_true(w.keeper:check())
    assert.same({}, w.requests)
    assert.equal(61, #w.messages)
    local view = w.keeper:view()
    assert.truthy(view[3].content[1].text:find("left out to save room", 1, true))
    assert.equal(messages[61], view[61])
    assert.is_true(is_valid(view))
    assert.is_true(w.keeper:measure() < 18000)
    local before = json.encode(view)
    messages[#messages + 1] = assistant("done", { input = 5000, output = 10 })
    local later = w.keeper:view()
    later[#later] = nil
    assert.equal(before, json.encode(later))
    -- A resumed conversation is given the same mark, and sends the same bytes.
    local again = world(messages, { mark = w.trims[1].mark })
    later = again.keeper:view()
    later[#later] = nil
    assert.equal(before, json.encode(later))
  end)

  it("cuts a message that alone is larger than what is kept, with a mark", function()
    local w = world({ user("look at this: " .. tokens(60000) .. "the end") }, { window = 40000 })
    assert.is_true(w.keeper:check())
    assert.same({}, w.requests)
    local text = w.keeper:view()[1].content[1].text
    assert.truthy(text:find("bytes were cut here", 1, true))
    assert.truthy(text:find("^look at this") and text:find("the end$"))
    assert.is_true(context.estimate_all(w.keeper:view()) <= 2100)
    assert.is_true(#first_text(w.messages) > 200000, "the conversation itself stays whole")
  end)

  it("cuts huge arguments so that they stay JSON", function()
    local w = world({
      user("write it"),
      assistant(tokens(3000)),
      user("now"),
      calling("c", "std_write", { path = "a.txt", content = tokens(40000) }),
      result("c", "done"),
    }, { window = 40000 })
    assert.is_true(w.keeper:check())
    local view = w.keeper:view()
    local call = view[#view - 1].content[1]
    assert.same(json.decode(call.arguments), call.input)
    assert.equal("a.txt", call.input.path)
    assert.is_true(#call.arguments < 10000)
    assert.is_true(is_valid(view))
  end)

  it("clamps keep_verbatim to the window, and says so once", function()
    local w = world(conversation(40), { window = 40000, keep = 90000 })
    assert.is_true(w.keeper:check())
    assert.equal(1, #w.requests)
    assert.truthy(w.told[1]:find("keep_verbatim (90000 tokens) is larger than the window", 1, true))
    assert.is_true(w.keeper:measure() < 15000)
    for i = 1, 40 do
      table.insert(w.messages, assistant(i .. tokens(1000)))
    end
    assert.is_true(w.keeper:check())
    assert.equal(2, #w.requests)
    assert.equal(1, #w.told)
  end)

  it("makes room after an overflow without knowing the window", function()
    local w = world(conversation(10), { keep = 20000 })
    assert.is_true(w.keeper:recover())
    assert.equal(1, #w.requests)
    assert.is_true(w.keeper:measure() < 6000)
  end)

  it("shortens its text when the summary's own request overflows", function()
    local w = world(conversation(30), { window = 40000, answers = { overflow(), overflow() } })
    assert.is_true(w.keeper:check())
    assert.equal(3, #w.requests)
    local function size(i)
      return #w.requests[i].messages[1].content[1].text
    end
    assert.is_true(size(2) < size(1) * 0.6 and size(3) < size(2) * 0.6)
    local text = w.requests[3].messages[1].content[1].text
    assert.truthy(text:find("make the parser faster", 1, true))
    assert.truthy(text:find("messages are left out here", 1, true))
    assert.truthy(first_text(w.messages):find("summary 3", 1, true))
  end)

  it("fits its text into the window of the model that summarises", function()
    local w = world(conversation(30), { window = 40000, summary_window = 8000 })
    assert.is_true(w.keeper:check())
    assert.is_true(#w.requests[1].messages[1].content[1].text < 8000 * 3)
  end)

  for name, items in pairs({
    ["an error"] = { { type = "error", kind = "server", message = "broken" } },
    ["an overflow each time"] = overflow(),
    ["an empty summary"] = answer(" \n "),
    ["a refusal"] = answer("I cannot do that", "refusal"),
    ["a summary at its limit"] = answer("and then", "length"),
    ["a summary that is cut off"] = { { type = "text_delta", delta = "and th" } },
    ["an endless summary"] = function()
      return { type = "text_delta", delta = ("and then "):rep(100) }
    end,
    ["endless thinking"] = function()
      return { type = "thinking_delta", delta = ("hm "):rep(1000) }
    end,
  }) do
    it("leaves everything as it was after " .. name .. ", and stops at the third time", function()
      local messages = conversation(30)
      local before = json.encode(messages)
      local answers = {}
      for i = 1, 9 do
        answers[i] = items
      end
      local w = world(messages, { window = 40000, answers = answers })
      assert.is_true(w.keeper:check())
      assert.truthy(w.told[1]:find("^warning: Compaction failed: "))
      assert.is_true(w.keeper:check())
      local ok, message = w.keeper:check()
      assert.is_nil(ok)
      assert.truthy(message:find("^Compaction failed 3 times in a row"), message)
      assert.equal(before, json.encode(w.messages))
      assert.same({}, w.records)
      assert.same({}, w.events)
      assert.is_false(w.working)
    end)
  end

  it("stops when an overflow cannot be recovered from", function()
    local w = world(conversation(30), { answers = { answer("") } })
    local ok, message = w.keeper:recover()
    assert.is_nil(ok)
    assert.truthy(message:find("the summary was empty", 1, true))
  end)

  it("counts failures in a row only", function()
    local w = world(conversation(30), { window = 40000, answers = { answer(""), answer("") } })
    assert.is_true(w.keeper:check())
    assert.is_true(w.keeper:check())
    assert.is_true(w.keeper:check())
    assert.equal(1, #w.records)
    assert.equal(0, w.keeper.failures)
  end)

  it("stops when the context is full again right after two compactions", function()
    local w = world(conversation(30), { window = 40000 })
    local function fill()
      table.insert(w.messages, assistant("more", { input = 30000, output = 10 }))
      table.insert(w.messages, user("next " .. tokens(3000)))
      return w.keeper:check()
    end
    assert.is_true(w.keeper:check())
    assert.is_true(fill())
    assert.equal(2, #w.records)
    local ok, message = fill()
    assert.is_nil(ok)
    assert.truthy(message:find("full again right after a compaction, 2 times in a row", 1, true))
    assert.equal(2, #w.records)
  end)

  it("goes on with refills that are not in a row", function()
    local w = world(conversation(30), { window = 40000 })
    assert.is_true(w.keeper:check())
    for _ = 1, 6 do
      table.insert(w.messages, assistant("small", { input = 3000, output = 10 }))
      assert.is_true(w.keeper:check())
      table.insert(w.messages, assistant("more", { input = 30000, output = 10 }))
      table.insert(w.messages, user("next " .. tokens(3000)))
      assert.is_true(w.keeper:check())
    end
    assert.equal(7, #w.records)
  end)

  it("by hand: refuses when there is nothing before the kept end", function()
    local w = world(conversation(3, 100))
    local ok, message = w.keeper:run("")
    assert.is_nil(ok)
    assert.equal(compaction.NOTHING, message)
    w = world(conversation(10))
    assert.is_true(w.keeper:run("mind the tests"))
    assert.truthy(w.requests[1].messages[1].content[1].text:find("mind the tests$"))
    ok, message = w.keeper:run("")
    assert.is_nil(ok)
    assert.equal(compaction.NOTHING, message)
  end)

  it("carries the first request and the touched files through twenty compactions", function()
    local messages = { user("Port the CSV reader to Zig; never touch vendor/.") }
    local w = world(messages, { window = 40000 })
    for round = 1, 20 do
      for i = 1, 10 do
        local id = ("%d_%d"):format(round, i)
        local name = i % 2 == 0 and "std_read" or "std_edit"
        local path = ("src/file%d.zig"):format(round)
        messages[#messages + 1] = calling(id, name, { path = i == 9 and "gone.zig" or path })
        messages[#messages + 1] = result(id, "ok", i == 9)
        messages[#messages + 1] = assistant("did it " .. tokens(2400))
        messages[#messages + 1] = user(("request %d.%d"):format(round, i))
      end
      assert.is_true(w.keeper:check())
      assert.equal(round, #w.records)
    end
    local text = first_text(messages)
    assert.truthy(text:find("Port the CSV reader to Zig; never touch vendor/.", 1, true))
    for round = 1, 20 do
      assert.truthy(text:find(("\nsrc/file%d.zig\n"):format(round), 1, true), round)
    end
    assert.is_nil(text:find("gone.zig", 1, true))
    assert.is_true(#text < 3000, #text)
    local _, count = text:gsub("summary %d+", "")
    assert.equal(1, count)
    assert.is_true(is_valid(w.keeper:view()))
  end)

  it("keeps the request that runs, when only its last rounds are kept", function()
    local messages = { user("first"), assistant("ok"), user("Now rename every symbol.") }
    for i = 1, 30 do
      messages[#messages + 1] = calling("c" .. i, "std_shell", { command = "x " .. tokens(800) })
      messages[#messages + 1] = result("c" .. i, "ok")
    end
    local w = world(messages, { window = 40000 })
    assert.is_true(w.keeper:check())
    local text = first_text(w.messages)
    assert.truthy(text:find("<first_request>\nfirst\n</first_request>", 1, true))
    assert.truthy(
      text:find("<latest_request>\nNow rename every symbol.\n</latest_request>", 1, true)
    )
  end)

  it("leaves everything as it was when it is cancelled", function()
    local task = require("panto.sys.task")
    local messages = conversation(30)
    local before = json.encode(messages)
    local w = world(messages, {
      window = 40000,
      answers = {
        function()
          task.sleep(10000)
        end,
      },
    })
    task.loop(function()
      local running = task.run(function()
        return w.keeper:check()
      end)
      assert.is_true(w.working)
      task.cancel(running)
      task.join(running)
    end)
    assert.is_false(w.working)
    assert.equal(before, json.encode(w.messages))
    assert.same({}, w.records)
    assert.equal(0, w.keeper.failures)
  end)
end)
