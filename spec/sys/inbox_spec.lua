local uv = require("luv")

-- An inbox over a host of its own: `post` fills it.
local function open_inbox()
  local former = { package.loaded["panto.host"], package.loaded["panto.sys.inbox"] }
  local fds, queue = uv.pipe(), {}
  package.loaded["panto.host"] = {
    inbox_fd = function()
      return fds.read
    end,
    inbox_next = function()
      local message = table.remove(queue, 1)
      if not queue[1] then
        uv.fs_read(fds.read, 1, -1)
      end
      return message[1], message[2], message[3], queue[1] ~= nil
    end,
  }
  package.loaded["panto.sys.inbox"] = nil
  local inbox = require("panto.sys.inbox")
  package.loaded["panto.host"], package.loaded["panto.sys.inbox"] = former[1], former[2]
  return inbox, function(list)
    queue = list
    uv.fs_write(fds.write, "!", -1)
  end
end

local function messages(id, count)
  local list = {}
  for number = 1, count do
    list[number] = { id, "chunk", tostring(number) }
  end
  return list
end

describe("sys.inbox", function()
  it("hands on in order, and lets timers and keys come between the parts of a flood", function()
    local inbox, post = open_inbox()
    local got, got_at_tick = {}, nil
    local id
    id = inbox.open(function(_, data)
      got[#got + 1] = tonumber(data)
      local started = uv.hrtime()
      while uv.hrtime() - started < 2e6 do -- what costs 2 ms
      end
      if #got == 30 then
        inbox.close(id)
      end
    end)
    local timer = uv.new_timer()
    timer:start(1, 0, function()
      got_at_tick = #got
      timer:close()
    end)
    post(messages(id, 30))
    uv.run("default")
    assert.equal(30, #got)
    for number = 1, 30 do
      assert.equal(number, got[number])
    end
    assert.is_true(got_at_tick < 30)
  end)
end)
