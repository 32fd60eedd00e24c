require("bare_host")
local find = require("panto.session.find")
local fs = require("panto.sys.fs")
local index = require("panto.session.index")
local session_log = require("panto.session.log")

local A = "0197a1b2-c3d4-7000-8000-000000000001"
local B = "0197a1b2-ffff-7000-8000-000000000002"
local C = "0197ffff-0000-7000-8000-000000000003"
local CWD = "/home/me/p"

local function make(dir, id, texts, modified)
  local log =
    session_log.create({ dir = dir, cwd = CWD, id = id, now_ms = 1750000000000, version = "0" })
  log:append("model", { model = "a:b" })
  for _, text in ipairs(texts) do
    local content = { { type = "text", text = text } }
    assert(log:append("message", { message = { role = "user", content = content } }))
  end
  log:close()
  os.execute(("touch -d @%d '%s'"):format(modified, log.path))
  return log.path
end

describe("the index of sessions", function()
  local dir, paths

  before_each(function()
    dir = os.tmpname()
    os.remove(dir)
    paths = {
      make(dir, A, { '  hello\n "type":"message"}\nworld', "x" }, 3000),
      make(dir, B, { "b" }, 1000),
      make(dir, C, { "c" }, 2000),
    }
  end)

  after_each(function()
    os.execute("rm -rf '" .. dir .. "'")
  end)

  it("lists the last written first, with count and first text", function()
    local list = index.list(dir, CWD)
    assert.same({ A, C, B }, { list[1].id, list[2].id, list[3].id })
    assert.equal(2, list[1].messages)
    assert.equal('hello "type":"message"} world', list[1].first_text)
    assert.equal("2025-06-15T15:06:40.000Z", list[1].created)
    assert.equal(3000, list[1].modified)
  end)

  it("sees what another process has written since, and what went away", function()
    assert.equal(1, index.list(dir, CWD)[3].messages)
    local log = assert(session_log.open(paths[2]))
    log:append("message", { message = { role = "user", content = {} } })
    log:close()
    local list = index.list(dir, CWD)
    assert.same({ B, 2 }, { list[1].id, list[1].messages })
    os.remove(paths[1])
    assert.equal(2, #index.list(dir, CWD))
  end)

  it(
    "reads a file once while its time and size stay, and any cache of another form anew",
    function()
      local reads = 0
      local counting = setmetatable({
        read_range = function(...)
          reads = reads + 1
          return fs.read_range(...)
        end,
      }, { __index = fs })
      local before = index.list(dir, CWD, counting)
      local needed = reads
      assert.same(before, index.list(dir, CWD, counting))
      assert.equal(needed, reads)
      fs.write(fs.dirname(paths[1]) .. "/.index", A .. ".jsonl\tx\ty\n\n\0\t\t\t\n")
      assert.same(before, index.list(dir, CWD, counting))
      assert.equal(2 * needed, reads)
    end
  )

  it("lists all folders' sessions together", function()
    local other = session_log.create({ dir = dir, cwd = "/other", now_ms = 1, version = "0" })
    other:append("message", { message = { role = "user", content = {} } })
    other:close()
    local list = index.list_all(dir)
    assert.same({ "/other", CWD }, { list[1].cwd, list[4].cwd })
  end)

  it("counts the messages of a file whose line ends became CRLF", function()
    local bytes = assert(fs.read(paths[1]))
    assert(fs.write(paths[1], (bytes:gsub("\n", "\r\n")) .. "\r\n"))
    for _, one in ipairs(index.list(dir, CWD)) do
      if one.id == A then
        assert.equal(2, one.messages)
        assert.equal('hello "type":"message"} world', one.first_text)
      end
    end
    local opened = assert(session_log.open(paths[1]))
    assert.same({}, opened.notes)
    assert.equal(2, #opened:messages())
    opened:close()
  end)

  it("lists nothing for a folder without sessions", function()
    assert.same({}, index.list(dir, "/elsewhere"))
  end)

  it("passes over files that are no sessions", function()
    local where = fs.dirname(paths[1])
    fs.write(where .. "/ffffffff-0000-7000-8000-000000000004.jsonl", '{"type":"sess')
    fs.write(where .. "/notes.txt", "x")
    assert.equal(3, #index.list(dir, CWD))
    assert.equal(paths[1], find.here(dir, CWD))
  end)

  it("takes a time before 1970, the last in the list", function()
    os.execute(("touch -d 1960-01-01T00:00:00Z '%s'"):format(paths[1]))
    local list = index.list(dir, CWD)
    assert.same({ C, B, A }, { list[1].id, list[2].id, list[3].id })
    assert.equal(-315619200, list[3].modified)
  end)

  it("reads anew what a line of its file tells that cannot be", function()
    local where = fs.dirname(paths[1])
    local before = index.list(dir, CWD)
    local text = fs.read(where .. "/.index")
    os.execute(("ln -s missing '%s/00.jsonl'; touch '%s/01.jsonl'"):format(where, where))
    local line = "%s\t%s\t2025-06-15T15:06:40.000Z\t%s\t/p\ttext\n"
    local lines = {
      line:format("00.jsonl", "", "1"),
      line:format("01.jsonl", fs.stamp(where .. "/01.jsonl"), "1"),
      text:gsub("\t2\t", "\t99999999999999999999\t"):gsub("\t1\t", "\t-1\t"),
    }
    fs.write(where .. "/.index", table.concat(lines))
    assert.same(before, index.list(dir, CWD))
    assert.same(before, index.list(dir, CWD))
  end)

  it("leaves its file as it is when few of many sessions have changed", function()
    local where = fs.dirname(paths[1])
    local header = '{"created":"x","cwd":"/p","id":"%s","type":"session","version":1}\n{"id":"1"}\n'
    for n = 1, 400 do
      local id = ("0197a1b2-c3d4-7000-9000-%012x"):format(n)
      fs.write(("%s/%s.jsonl"):format(where, id), header:format(id))
    end
    assert.equal(403, #index.list(dir, CWD))
    local stamp = fs.stamp(where .. "/.index")
    local log = assert(session_log.open(paths[2]))
    log:append("message", { message = { role = "user", content = {} } })
    log:close()
    for _ = 1, 2 do
      local list = index.list(dir, CWD)
      assert.same({ B, 2 }, { list[1].id, list[1].messages })
      assert.equal(stamp, fs.stamp(where .. "/.index"))
    end
  end)

  it("counts a long session's messages across pieces", function()
    local file = assert(fs.append_open(paths[3]))
    local line = '{"id":"x%d","message":{"t":"%s"},"parent":"%s","time":"t","type":"message"}\n'
    for i = 1, 400 do
      local parent = i == 1 and "2" or "x" .. i - 1
      file:write(line:format(i, ("y"):rep(9973), parent))
    end
    file:close()
    local list = index.list(dir, CWD)
    assert.equal(C, list[1].id)
    assert.equal(401, list[1].messages)
  end)
end)
