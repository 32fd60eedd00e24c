require("bare_host")
local fork = require("panto.session.fork")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local scan = require("panto.session.scan")
local session_log = require("panto.session.log")
local settings = require("panto.session.settings")
local tree = require("panto.session.tree")

local function part(text)
  return json.array({ { type = "text", text = text } })
end

local function user(text)
  return { message = { role = "user", content = part(text) } }
end

local function answer(text, ...)
  local content = part(text)
  for _, id in ipairs({ ... }) do
    local call = { type = "tool_call", id = id, name = "std_read", arguments = "{}", input = {} }
    table.insert(content, call)
  end
  return { message = { role = "assistant", content = content } }
end

local function result(id, text)
  return {
    message = {
      role = "tool",
      tool_call_id = id,
      tool_name = "std_read",
      content = part(text or "r"),
      is_error = false,
    },
  }
end

-- A log with messages, its folder removed at the end of the scope.
local function new_place(options)
  local dir = os.tmpname()
  os.remove(dir)
  dir = fs.exists("/dev/shm") and "/dev/shm/" .. fs.basename(dir) or dir
  options = options or {}
  options.dir, options.cwd, options.version = dir, "/w", "0"
  options.now_ms = options.now_ms or 1750000000000
  local place = { dir = dir, log = session_log.create(options) }
  return setmetatable(place, {
    __close = function()
      place.log:close()
      os.execute("rm -rf '" .. dir .. "'")
    end,
  })
end

local function say(log, ...)
  for _, fields in ipairs({ ... }) do
    assert(log:append("message", fields))
  end
end

local function reopen(place, options)
  place.log:close()
  place.log = assert(session_log.open(place.log.path, options))
  return place.log
end

local function texts(messages)
  local list = {}
  for i, message in ipairs(messages) do
    list[i] = message.content[1].text
  end
  return list
end

local function rewrite(place, change)
  place.log:close()
  local bytes = change(assert(fs.read(place.log.path)))
  assert(fs.write(place.log.path, bytes))
  return reopen(place)
end

-- Every call right before its results, every result behind its call.
local function assert_paired(messages)
  local open = {}
  for _, message in ipairs(messages) do
    if message.role == "tool" then
      assert.is_true(open[message.tool_call_id], "a result without a call")
      open[message.tool_call_id] = nil
    else
      assert.is_nil(next(open), "a call without a result")
    end
    for _, piece in ipairs(message.role == "assistant" and message.content or {}) do
      if piece.type == "tool_call" then
        open[piece.id] = true
      end
    end
  end
  assert.is_nil(next(open))
end

describe("a session with a compaction", function()
  it("sends the summary and what was kept", function()
    local place <close> = new_place()
    local log = place.log
    say(log, user("a"), answer("b"), user("c"), answer("d"))
    log:append(
      "compaction",
      { summary = "they said a and b\n", first_kept = "3", tokens_before = 9 }
    )
    say(log, user("e"))
    for _ = 1, 2 do
      local messages = log:messages()
      assert.matches("<summary>\nthey said a and b\n</summary>", messages[1].content[1].text)
      assert.same({ "c", "d", "e" }, { table.unpack(texts(messages), 2) })
      assert.equal("3", log:id_of(messages[2]))
      assert.is_nil(log:id_of(messages[1]))
      assert.equal(5, log:count())
      log = reopen(place)
    end
    assert.same({ "a", "b", "c", "d", "e" }, texts(log:messages(30)))
  end)

  it("honours the last one, whose tail may begin before an earlier one", function()
    local place <close> = new_place()
    say(place.log, user("a"), answer("b"), user("c"))
    place.log:append("compaction", { summary = "one", first_kept = "2" })
    say(place.log, user("d"))
    place.log:append("compaction", { summary = "two", first_kept = "3" })
    local messages = reopen(place):messages()
    assert.matches("two", messages[1].content[1].text)
    assert.same({ "c", "d" }, { table.unpack(texts(messages), 2) })
  end)

  it("keeps what came after it when the tail's beginning is lost", function()
    local place <close> = new_place()
    say(place.log, user("a"), answer("b"))
    place.log:append("compaction", { summary = "s", first_kept = "77" })
    say(place.log, user("c"))
    assert.same({ "c" }, { table.unpack(texts(reopen(place):messages()), 2) })
    place.log:append("compaction", { summary = 5 })
    assert.equal(2, #place.log:messages())
  end)
end)

describe("the branches of a session", function()
  it("go on from any earlier message, and stay in the file", function()
    local place <close> = new_place()
    local log = place.log
    say(log, user("a"), answer("b", "c1"), result("c1"), user("c"), answer("d"))
    local places = tree.read(log)
    assert.same({ "a", "b", "c", "d" }, {
      places[1].text,
      places[2].text,
      places[3].text,
      places[4].text,
    })
    log:go_to(places[2].tip)
    say(log, user("other"))
    assert.same({ "a", "b", "r", "other" }, texts(log:messages()))
    assert.equal(4, log:count())
    log = reopen(place)
    assert.same({ "a", "b", "r", "other" }, texts(log:messages()))
    places = tree.read(log)
    assert.equal(5, #places)
    assert.is_false(places[4].is_active)
    assert.is_true(places[5].is_active)
    log:go_to(places[4].tip)
    assert.same({ "a", "b", "r", "c", "d" }, texts(log:messages()))
    log:go_to(log:before(places[1].entry))
    say(log, user("anew"))
    assert.same({ "anew" }, texts(reopen(place):messages()))
  end)

  it("are seen too when the session is in memory only", function()
    local place <close> = new_place()
    fs.write(place.dir, "a file, not a folder")
    local log = place.log
    log:append("message", user("a"))
    log:append("message", answer("b"))
    local places = tree.read(log)
    assert.same({ "a", "b" }, { places[1].text, places[2].text })
    log:go_to(places[1].tip)
    assert.same({ "a" }, texts(log:messages()))
    os.remove(place.dir)
  end)

  it("can be copied into a session of their own", function()
    local place <close> = new_place()
    local log = place.log
    say(log, user("a"), answer("b"))
    log:append("weather", { sky = "blue" })
    local tip = log.tip
    say(log, user("c"))
    log:go_to(tip)
    say(log, user("d"))
    local other = assert(session_log.open(log.path, { read_only = true }))
    local copy = assert(fork.copy(other, { dir = place.dir, cwd = "/w", version = "0" }))
    assert.are_not.equal(log.id, copy.id)
    assert.same({ "a", "b", "d" }, texts(copy:messages()))
    assert.equal("blue", copy:records()[3].sky)
    say(copy, user("e"))
    say(log, user("f"))
    assert.same({ "a", "b", "d", "e" }, texts(copy:messages()))
    assert.same({ "a", "b", "d", "f" }, texts(log:messages()))
    copy:close()
  end)
end)

describe("what another hand left in a session file", function()
  it("may be a raw line end within a record", function()
    local place <close> = new_place()
    say(place.log, user("a"), user("one two"), user("c"))
    local log = rewrite(place, function(bytes)
      return (bytes:gsub("one two", "one\ntwo"))
    end)
    assert.same({ "a", "c" }, texts(log:messages()))
    assert.matches("is broken; it is left out", table.concat(log.notes, "\n"))
    say(log, user("d"))
    assert.same({ "a", "c", "d" }, texts(reopen(place):messages()))
  end)

  it("may be a result without a call, or a call without a result", function()
    local place <close> = new_place()
    say(place.log, user("a"), result("orphan"), answer("b", "c1", "c2"), result("c2"), user("c"))
    local messages, notes = reopen(place):messages()
    assert_paired(messages)
    assert.equal(5, #messages)
    assert.equal(2, #notes)
  end)

  it("may be of a record that repeats an id", function()
    local place <close> = new_place()
    say(place.log, user("a"), user("b"))
    local log = rewrite(place, function(bytes)
      return bytes .. bytes:match("([^\n]*\n)$")
    end)
    assert.same({ "a", "b" }, texts(log:messages()))
    say(log, user("c"))
    assert.same({ "a", "b", "c" }, texts(reopen(place):messages()))
  end)

  it("may be a record of 50 MB", function()
    local place <close> = new_place()
    say(place.log, user("a"), answer("b", "c1"))
    say(place.log, result("c1", ("0123456789"):rep(5 * 1024 * 1024)), user("c"))
    local log = reopen(place)
    assert.equal(4, log:count())
    local messages = log:messages()
    assert.equal(50 * 1024 * 1024, #messages[3].content[1].text)
    assert.same("c", messages[4].content[1].text)
  end)
end)

describe("the clock of a session", function()
  it("may jump back: the order is that of the links", function()
    local now = 1750000000000
    local place <close> = new_place({
      now_ms = function()
        now = now - 3600 * 1000
        return now
      end,
    })
    say(place.log, user("a"), answer("b"), user("c"))
    assert.same({ "a", "b", "c" }, texts(reopen(place):messages()))
    local records = place.log:records()
    assert.is_true(records[1].time > records[3].time)
  end)
end)

describe("a long session", function()
  it("is read from its end, as far as is needed", function()
    local place <close> = new_place()
    local log = place.log
    local long = ("x"):rep(5000)
    for i = 1, 400 do
      local using = { model = "a:b", system = "f", effort = "high" }
      local said = { message = user(i .. long).message, using = using }
      local answered = { message = answer("b").message, totals = { input = i } }
      say(log, said, answered)
    end
    log:close()
    local bytes = 0
    local counting = setmetatable({
      read_range = function(...)
        local piece, message = fs.read_range(...)
        bytes = bytes + #(piece or "")
        return piece, message
      end,
    }, { __index = fs })
    log = reopen(place, { fs = counting })
    assert.equal(800, log:count())
    assert.equal(30, #log:messages(30))
    local found = settings.read(log)
    assert.same({ "a:b", "f", "high" }, { found.model, found.system, found.effort })
    assert.same({ input = 400 }, found.totals)
    assert.is_true(bytes < 700 * 1024, bytes)
    assert.equal(800, #log:messages())
  end)

  it("of another program's is not read whole to go on, and counted by its lines once", function()
    local place <close> = new_place()
    local path = place.dir .. "/foreign.jsonl"
    local head = '{"type": "session", "version": 1, "id": "f", "cwd": "/p", "created": "x"}\n'
    local lines = { head }
    for i = 1, 3000 do
      local text = '{"type": "message", "parent": %s, "id": "r-%d", "message": '
        .. '{"role": "user", "content": [{"type": "text", "text": "%d %s"}]}}\n'
      local parent = i == 1 and "null" or ('"r-%d"'):format(i - 1)
      lines[#lines + 1] = text:format(parent, i, i, ("x"):rep(1000))
    end
    assert(fs.write(path, table.concat(lines), { parents = true }))
    local bytes = 0
    local counting = setmetatable({
      read_range = function(...)
        local piece, message = fs.read_range(...)
        bytes = bytes + #(piece or "")
        return piece, message
      end,
    }, { __index = fs })
    local log = assert(session_log.open(path, { fs = counting }))
    assert.same({}, settings.read(log))
    assert.same({ 200, false }, { log:count(true) })
    assert.equal(4, #log:messages(4))
    assert.is_true(bytes < 1500000, bytes)
    assert.same({ 3000, true }, { log:count() })
    log:append("message", { message = { role = "user", content = {} } })
    bytes = 0
    assert.equal(3001, log:count())
    assert.equal(0, bytes)
    log:close()
    local again = assert(session_log.open(path))
    assert.equal(3001, again:count(true))
    again:close()
  end)

  it("is sent no further back than any API would take it", function()
    local place <close> = new_place()
    local long = ("x"):rep(4 * 1024 * 1024)
    for i = 1, 10 do
      say(place.log, user(i .. long), answer("b" .. i))
    end
    local messages, notes = reopen(place):messages()
    assert.is_true(#messages < 20)
    assert.equal("user", messages[1].role)
    assert.equal("b10", messages[#messages].content[1].text)
    assert.matches("is larger than any model takes", notes[1])
    place.log:close()
    local foreign = assert(fs.read(place.log.path)):gsub('\n{"id":', '\n{ "id":')
    assert(fs.write(place.log.path, foreign))
    local the_same, the_same_notes = reopen(place):messages()
    assert.equal(#messages, #the_same)
    assert.same(notes, the_same_notes)
  end)
end)

describe("the lines of a file", function()
  it("are the same from both ends, whatever their lengths", function()
    for seed = 1, 8 do
      math.randomseed(seed)
      local lines, offsets, size = {}, {}, 7
      for i = 1, math.random(0, 60) do
        lines[i] = ("x"):rep(math.random(0, 3) == 0 and math.random(0, 200000) or math.random(0, 9))
        offsets[i] = size
        size = size + #lines[i] + 1
      end
      local text = "header\n" .. table.concat(lines, "\n") .. (lines[1] and "\n" or "")
      local function read(offset, length)
        return text:sub(offset + 1, offset + length)
      end
      local n = 0
      for line, at in scan.forward(read, 7, #text) do
        n = n + 1
        assert.equal(lines[n], line)
        assert.equal(offsets[n], at)
      end
      assert.equal(#lines, n)
      for line, at in scan.backward(read, 7, #text) do
        if at < #text then
          assert.equal(lines[n], line)
          assert.equal(offsets[n], at)
          n = n - 1
        end
      end
      assert.equal(0, n)
    end
  end)
end)
