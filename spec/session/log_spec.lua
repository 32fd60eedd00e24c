require("bare_host")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local session_log = require("panto.session.log")

local function user(text)
  return { role = "user", content = json.array({ { type = "text", text = text } }) }
end

-- A temporary folder with logs in it, removed at the end of the scope.
local function new_place()
  local place = { dir = os.tmpname() }
  os.remove(place.dir)
  if fs.exists("/dev/shm") then -- its files need no waiting for a disk
    place.dir = "/dev/shm/" .. fs.basename(place.dir)
  end
  return setmetatable(place, {
    __close = function()
      os.execute("rm -rf '" .. place.dir .. "'")
    end,
  })
end

local function create(place, options)
  return session_log.create({
    dir = place.dir,
    cwd = "/home/me/p",
    id = options and options.id,
    now_ms = function()
      return 1750000000123
    end,
    version = "0.1.0",
    pid = options and options.pid,
    fs = options and options.fs,
  })
end

-- Without fsync: hundreds of them would take their time on a busy disk.
local function write_plain(path, bytes)
  local file <close> = assert(io.open(path, "wb"))
  file:write(bytes)
end

local function lines_of(path)
  local lines = {}
  for line in assert(fs.read(path)):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line
  end
  return lines
end

-- The real files, but what is written in an appended file may fail.
local function failing_fs(state)
  return setmetatable({
    append_open = function(path, mode)
      local file, message, code = fs.append_open(path, mode)
      if not file then
        return nil, message, code
      end
      return setmetatable({
        write = function(_, bytes)
          if state.full and path:match("%.jsonl$") then
            file:write(bytes:sub(1, #bytes // 2))
            return nil, path .. ": no space left on the device", "ENOSPC"
          end
          return file:write(bytes)
        end,
        sync = function()
          state.syncs = (state.syncs or 0) + 1
          return file:sync()
        end,
      }, {
        __index = function(_, name)
          return function(_, ...)
            return file[name](file, ...)
          end
        end,
      })
    end,
  }, { __index = fs })
end

describe("a session log", function()
  it("makes its file with the first record, readable by its owner only", function()
    local place <close> = new_place()
    local log = create(place)
    assert.is_false(fs.exists(log.path))
    assert.equal("1", log:append("message", { message = user("hi") }))
    local lines = lines_of(log.path)
    assert.same({
      type = "session",
      version = 1,
      id = log.id,
      cwd = "/home/me/p",
      created = "2025-06-15T15:06:40.123Z",
      panto = "0.1.0",
    }, json.decode(lines[1]))
    assert.same({
      id = "1",
      n = 1,
      parent = json.null,
      time = "2025-06-15T15:06:40.123Z",
      type = "message",
      message = user("hi"),
    }, json.decode(lines[2]))
    assert.equal(log.id .. ".jsonl", fs.basename(log.path))
    assert.equal(384, fs.stat(log.path).mode)
    log:close()
  end)

  it("is the same after it is opened again, byte for byte", function()
    local place <close> = new_place()
    local log = create(place)
    local messages = {
      user('ünï \u{1F600} \\ " \n \u{2028} \0'),
      {
        role = "assistant",
        content = json.array({
          { type = "thinking", text = "", signature = "sig==", opaque = json.null },
          {
            type = "tool_call",
            id = "c1",
            name = "std_read",
            arguments = '{ "b": 1.0,\t"a" :[]}',
            input = { b = 1.0, a = json.array({}), n = 2, e = {}, f = 1e300, g = 0.1 },
          },
        }),
        stop_reason = "tool_use",
        usage = { input = 10, output = 3 },
        aborted = false,
      },
      {
        role = "tool",
        tool_call_id = "c1",
        tool_name = "std_read",
        content = json.array({ { type = "text", text = "x" } }),
        is_error = false,
      },
    }
    log:append("model", { model = "a:b" })
    for _, message in ipairs(messages) do
      assert(log:append("message", { message = message }))
    end
    log:close()
    local bytes = fs.read(log.path)
    local again = assert(session_log.open(log.path))
    local read = again:messages()
    assert.equal(3, again:count())
    for i, message in ipairs(messages) do
      assert.equal(json.encode(message), json.encode(read[i]))
    end
    assert.equal('{ "b": 1.0,\t"a" :[]}', read[2].content[2].arguments)
    assert.equal("float", math.type(read[2].content[2].input.b))
    assert.equal("model", again:records()[1].type)
    again:close()
    assert.equal(bytes, fs.read(log.path))
  end)

  it("goes on where it ended, and keeps kinds it does not know", function()
    local place <close> = new_place()
    local log = create(place)
    log:append("message", { message = user("a") })
    log:append("weather", { sky = "blue" })
    log:close()
    local again = assert(session_log.open(log.path))
    assert.equal("3", again:append("message", { message = user("b") }))
    assert.equal("2", again:records()[3].parent)
    assert.equal("blue", again:records()[2].sky)
    assert.equal(2, #again:messages())
    again:close()
  end)

  it("follows the parent links of the last record", function()
    local place <close> = new_place()
    local log = create(place)
    for _, text in ipairs({ "a", "b", "c" }) do
      log:append("message", { message = user(text) })
    end
    log:close()
    local branch =
      json.encode({ id = "x9", parent = "1", time = "t", type = "message", message = user("d") })
    local file = assert(fs.append_open(log.path))
    file:write(branch .. "\n")
    file:close()
    local again = assert(session_log.open(log.path))
    local texts = {}
    for i, message in ipairs(again:messages()) do
      texts[i] = message.content[1].text
    end
    assert.same({ "a", "d" }, texts)
    again:close()
  end)

  it("survives an end at any byte and goes on", function()
    local place <close> = new_place()
    local log = create(place)
    log:append("message", { message = user("first") })
    log:append("message", { message = user("second ü") })
    log:close()
    local bytes = fs.read(log.path)
    local _, header_end = bytes:find("\n", 1, true)
    local first_end = bytes:find("\n", header_end + 1, true)
    for cut = header_end, #bytes do
      write_plain(log.path, bytes:sub(1, cut))
      local again = assert(session_log.open(log.path))
      local whole = (cut >= first_end - 1 and 1 or 0) + (cut >= #bytes - 1 and 1 or 0)
      assert.equal(whole, again:count(), "cut at " .. cut)
      local clean = cut == header_end
        or cut == first_end
        or cut >= #bytes - 1
        or cut == first_end - 1
      assert.equal(clean and 0 or 1, #again.notes)
      assert(again:append("message", { message = user("next") }))
      again:close()
      again = assert(session_log.open(log.path))
      assert.same({}, again.notes)
      assert.equal(whole + 1, again:count())
      again:close()
    end
    for cut = 0, header_end - 1 do
      write_plain(log.path, bytes:sub(1, cut))
      local opened, message = session_log.open(log.path)
      assert.is_nil(opened)
      assert.matches("is not a panto session", message)
    end
  end)

  it("sets a torn line aside under a name of its own", function()
    local place <close> = new_place()
    local log = create(place)
    log:append("message", { message = user("a") })
    log:close()
    for n = 1, 2 do
      local file = assert(fs.append_open(log.path))
      file:write('{"id":"2","mess')
      file:close()
      local again = assert(session_log.open(log.path))
      assert.matches("%.torn%-" .. n .. "$", again.notes[1])
      assert.equal('{"id":"2","mess', fs.read(log.path .. ".torn-" .. n))
      again:close()
    end
  end)

  it("skips a broken line in the middle with a note and leaves it in the file", function()
    local place <close> = new_place()
    local log = create(place)
    for _, text in ipairs({ "a", "b", "c" }) do
      log:append("message", { message = user(text) })
    end
    log:close()
    local lines = lines_of(log.path)
    lines[3] = "\0\0\0 broken"
    fs.write(log.path, table.concat(lines, "\n") .. "\n")
    local again = assert(session_log.open(log.path))
    assert.equal(2, #again:messages())
    assert.matches("the line at byte %d+ is broken", again.notes[1])
    assert.matches("the parent 2 of record 3 is missing", again.notes[2])
    again:append("message", { message = user("d") })
    again:close()
    assert.equal("\0\0\0 broken", lines_of(log.path)[3])
    again = assert(session_log.open(log.path))
    assert.equal(3, #again:messages())
    again:close()
  end)

  it("leaves out a message whose inside is broken", function()
    local place <close> = new_place()
    local log = create(place)
    log:append("message", { message = user("a") })
    log:append("message", { message = user("MARK") })
    log:close()
    fs.write(log.path, (fs.read(log.path):gsub('"MARK"', "MARK")))
    local again <close> = setmetatable({ log = assert(session_log.open(log.path)) }, {
      __close = function(self)
        self.log:close()
      end,
    })
    local messages, notes = again.log:messages()
    assert.equal(1, #messages)
    assert.same({ "1 message is broken in the file: left out" }, notes)
  end)

  it("leaves out what is no message of panto's, and counts that are no numbers", function()
    local place <close> = new_place()
    local log <close> = setmetatable({ log = create(place) }, {
      __close = function(self)
        self.log:close()
      end,
    })
    log.log:append("message", { message = user("a") })
    for _, odd in ipairs({
      { role = "robot", content = json.array({}) },
      { role = "user" },
      { role = "user", content = "a text" },
      { role = "user", content = json.array({ 3 }) },
      { role = "assistant", content = json.array({ { type = "text" } }) },
      { role = "assistant", content = json.array({ { type = "tool_call" } }) },
      { role = "tool", content = json.array({}) },
      json.null,
    }) do
      log.log:append("message", { message = odd })
    end
    local said = user("b")
    said.usage = { input = "many", output = 3 }
    log.log:append("message", { message = said })
    local messages, notes = log.log:messages()
    assert.equal(2, #messages)
    assert.same({ output = 3 }, messages[2].usage)
    assert.same({ "8 messages are broken in the file: left out" }, notes)
  end)

  it("answers a call that panto's end left open, the same at each opening", function()
    local place <close> = new_place()
    local log = create(place)
    log:append("message", { message = user("a") })
    local call = { type = "tool_call", id = "c", name = "std_shell", arguments = "{}", input = {} }
    log:append("message", { message = { role = "assistant", content = { call } } })
    log:close()
    local again = assert(session_log.open(log.path))
    local messages, notes = again:messages()
    assert.equal("c", messages[3].tool_call_id)
    assert.equal(1, #notes)
    assert.equal(json.encode(messages), json.encode((again:messages())))
    again:close()
  end)

  it("is written by one panto only", function()
    local place <close> = new_place()
    local log = create(place, { id = "0197a1b2-c3d4-7000-8000-000000000000", pid = 4242 })
    log:append("message", { message = user("a") })
    local second, message = session_log.open(log.path)
    assert.is_nil(second)
    assert.equal("session 0197a1b2 is open in another panto (pid 4242)", message)
    log:close()
    assert.is_false(fs.exists(log.path .. ".pid"))
    assert(session_log.open(log.path)):close()
  end)

  it("goes on in memory when the disk is full, and the file stays whole", function()
    local place <close> = new_place()
    local state = {}
    local log = create(place, { fs = failing_fs(state) })
    assert(log:append("message", { message = user("a") }))
    assert.equal(1, state.syncs)
    state.full = true
    local id, message = log:append("message", { message = user("b") })
    assert.is_nil(id)
    assert.matches("is not saved from here on: .*no space left", message)
    assert.is_true(log.memory_only)
    assert.is_string(log:append("message", { message = user("c") }))
    assert.equal(3, #log:messages())
    log:close()
    local again = assert(session_log.open(log.path))
    assert.same({}, again.notes)
    assert.equal(1, again:count())
    again:close()
  end)

  it("goes on in memory when the folder cannot be made", function()
    local place <close> = new_place()
    fs.write(place.dir, "a file, not a folder")
    local log = create(place)
    local id, message = log:append("message", { message = user("a") })
    assert.is_nil(id)
    assert.matches("is not saved", message)
    assert.equal(1, #log:messages())
    assert.is_nil(log:sync())
    log:close()
  end)

  it("says what a file is that it cannot open", function()
    local place <close> = new_place()
    fs.write(
      place.dir .. "/a.jsonl",
      '{"type":"session","version":9,"id":"x"}\n',
      { parents = true }
    )
    local _, message = session_log.open(place.dir .. "/a.jsonl")
    assert.matches("was written by a newer panto %(session version 9%)", message)
    _, message = session_log.open(place.dir .. "/none.jsonl")
    assert.matches("no such file", message)
    assert.is_false(fs.exists(place.dir .. "/none.jsonl"))
  end)

  it("gives only the last messages when asked, from a user message on", function()
    local place <close> = new_place()
    local log = create(place)
    for i = 1, 10 do
      log:append("message", { message = user("q" .. i) })
      log:append("message", { message = { role = "assistant", content = {} } })
    end
    local last = log:messages(3)
    assert.equal(4, #last)
    assert.equal("q9", last[1].content[1].text)
    assert.equal(20, log:count())
    log:close()
  end)

  it("leaves out of a tool's details what JSON cannot say", function()
    local place <close> = new_place()
    local log = create(place)
    local ring = { f = print, n = 0 / 0, list = { 1, 2 }, [1.5] = "x" }
    ring.ring = ring
    assert(log:append("message", { message = { role = "tool", content = {}, details = ring } }))
    log:close()
    local again = assert(session_log.open(log.path))
    assert.same({ 1, 2 }, again:records()[1].message.details.list)
    again:close()
  end)

  it("raises when a record's own fields are given", function()
    local place <close> = new_place()
    assert.has_error(function()
      create(place):append("message", { id = "1" })
    end)
  end)
end)
