require("bare_host")
local find = require("panto.session.find")
local session_log = require("panto.session.log")
local short_id = require("panto.session.short_id")

local A = "0197a1b2-c3d4-7000-8000-000000000001"
local B = "0197a1b2-ffff-7000-8000-000000000002"
local C = "0197ffff-0000-7000-8000-000000000003"
local FAR = "0198ffff-0000-7000-8000-000000000004"
local FAR_TWIN = "0198ffff-0001-7000-8000-000000000005"
local CWD, OTHER = "/home/me/p", "/home/me/other"

local function make(dir, cwd, id, modified)
  local log = session_log.create({ dir = dir, cwd = cwd, id = id, now_ms = 1, version = "0" })
  assert(log:append("message", { message = { role = "user", content = {} } }))
  log:close()
  os.execute(("touch -d @%d '%s'"):format(modified, log.path))
  return log.path
end

describe("the beginning of a session's id", function()
  local dir, a, b, c, far

  before_each(function()
    dir = os.tmpname()
    os.remove(dir)
    a, b = make(dir, CWD, A, 3000), make(dir, CWD, B, 1000)
    c, far = make(dir, CWD, C, 2000), make(dir, OTHER, FAR, 4000)
  end)

  after_each(function()
    os.execute("rm -rf '" .. dir .. "'")
  end)

  it("finds the folder's latest when it is empty, else the one, in either case", function()
    assert.equal(a, find.here(dir, CWD))
    assert.equal(c, find.here(dir, CWD, "0197FF"))
    assert.equal(b, find.here(dir, CWD, B))
    local _, message = find.here(dir, "/elsewhere", "01970")
    assert.equal("no sessions for /elsewhere", message)
  end)

  it("is answered with the candidates when it is ambiguous or unknown", function()
    local _, message = find.here(dir, CWD, "0197a1b2")
    assert.equal(
      '"0197a1b2" begins 2 sessions: 0197a1b2-c, 0197a1b2-f; give more of the id',
      message
    )
    _, message = find.here(dir, CWD, "ffff")
    assert.equal(
      'no session of /home/me/p begins with "ffff"; there are 0197a1b2-c, 0197ffff, 0197a1b2-f',
      message
    )
  end)

  it("says of which folder the session is when it is not of this one", function()
    local path, message = find.here(dir, CWD, "0198")
    assert.is_nil(path)
    assert.equal(
      "session 0198 is of /home/me/other: go on with it there, or with a copy of it here by --fork",
      message
    )
  end)

  it("finds the sessions of other folders too, those of this one first", function()
    assert.equal(far, find.anywhere(dir, CWD, "0198"))
    assert.equal(c, find.anywhere(dir, OTHER, "0197F"))
    make(dir, OTHER, "0197ffff-0001-7000-8000-000000000006", 1)
    assert.equal(c, find.anywhere(dir, CWD, "0197f"))
    make(dir, "/third", FAR_TWIN, 1)
    local _, message = find.anywhere(dir, CWD, "0198")
    assert.equal(
      '"0198" begins 2 sessions: 0198ffff-0000 of /home/me/other, 0198ffff-0001 of /third; '
        .. "give more of the id",
      message
    )
    _, message = find.anywhere(dir, CWD, "02")
    assert.equal('no session begins with "02"; panto sessions --all lists them', message)
  end)

  it("is shown as long as tells it from the others, eight characters at least", function()
    assert.equal("0197a1b2-c", short_id.of(a))
    assert.equal("0197a1b2-f", short_id.of(b))
    assert.equal("0197ffff", short_id.of(c))
    assert.equal(b, find.here(dir, CWD, short_id.of(b)))
    local shown, longest = short_id.all({ { id = A }, { id = C }, { id = B }, { id = A } })
    assert.same({ [A] = "0197a1b2-c", [B] = "0197a1b2-f", [C] = "0197ffff" }, shown)
    assert.equal(10, longest)
  end)

  it("is as short as it can be in every list, whatever its order", function()
    math.randomseed(7)
    local orders = {
      function(ids)
        table.sort(ids)
      end,
      function(ids)
        table.sort(ids, function(one, other)
          return one > other
        end)
      end,
      function() end,
    }
    for round = 1, 150 do
      local ids, list = {}, {}
      for i = 1, math.random(1, 12) do
        local head = ("0123456789ab"):sub(1, math.random(4, 12))
        ids[i] = head .. ("%08x"):format(math.random(0, 3) * 16 ^ math.random(0, 7) // 1 | 0)
      end
      orders[round % 3 + 1](ids)
      for i, id in ipairs(ids) do
        list[i] = { id = id }
      end
      local shown = short_id.all(list)
      for _, id in ipairs(ids) do
        local length = 8
        for _, other in ipairs(ids) do
          while other ~= id and other:sub(1, length) == id:sub(1, length) do
            length = length + 1
          end
        end
        assert.equal(id:sub(1, length), shown[id])
      end
    end
  end)
end)
