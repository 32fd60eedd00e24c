require("bare_host")
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
    local path, message = index.find(dir, "/elsewhere", "01")
    assert.is_nil(path)
    assert.equal("no sessions for /elsewhere", message)
  end)

  it("finds the latest, and one by the beginning of its id in either case", function()
    assert.equal(paths[1], index.find(dir, CWD))
    assert.equal(paths[3], index.find(dir, CWD, "0197FF"))
    assert.equal(paths[2], index.find(dir, CWD, B))
  end)

  it("names the candidates of an ambiguous or unknown beginning", function()
    local _, message = index.find(dir, CWD, "0197a1b2")
    assert.equal(
      '"0197a1b2" begins 2 sessions: 0197a1b2-c, 0197a1b2-f; give more of the id',
      message
    )
    _, message = index.find(dir, CWD, "ffff")
    assert.equal(
      'no session of /home/me/p begins with "ffff"; there are 0197a1b2-c, 0197ffff-0, 0197a1b2-f',
      message
    )
  end)

  it("shows as much of an id as tells it from the others, eight characters at least", function()
    assert.equal("0197a1b2-c", index.short_id(paths[1]))
    assert.equal("0197a1b2-f", index.short_id(paths[2]))
    assert.equal("0197ffff", index.short_id(paths[3]))
    assert.equal(10, index.id_length(index.list(dir, CWD)))
    assert.equal(paths[2], index.find(dir, CWD, index.short_id(paths[2])))
  end)

  it("passes over files that are no sessions", function()
    local where = fs.dirname(paths[1])
    fs.write(where .. "/ffffffff-0000-7000-8000-000000000004.jsonl", '{"type":"sess')
    fs.write(where .. "/notes.txt", "x")
    assert.equal(3, #index.list(dir, CWD))
    assert.equal(paths[1], index.find(dir, CWD))
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
