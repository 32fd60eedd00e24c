-- Local sockets: lines in both directions, and the end of one side is seen on the other.

local fs = require("panto.sys.fs")
local socket = require("panto.sys.socket")
local task = require("panto.sys.task")

local function in_folder(fn)
  local folder = assert(socket.new_folder())
  local name = fs.join(folder, "s")
  local guard <close> = setmetatable({}, {
    __close = function()
      fs.remove(name)
      fs.remove(folder)
    end,
  })
  return fn(name), guard
end

describe("a socket", function()
  it("carries lines to each that connects, whole and in order", function()
    in_folder(function(name)
      local close = assert(socket.listen(name, function(connection)
        connection:write_line("one")
        connection:write_line("")
        connection:write_line("two")
      end))
      for _ = 1, 2 do
        local connection = assert(socket.connect(name))
        assert.equal("one", connection:read_line())
        assert.equal("", connection:read_line())
        assert.equal("two", connection:read_line())
        connection:close()
      end
      close()
    end)
  end)

  it("sees the other side's end, from either side", function()
    in_folder(function(name)
      local ends, theirs = 0, nil
      local close = assert(socket.listen(name, function(connection)
        theirs = connection
        connection.on_close = function()
          ends = ends + 1
        end
      end))
      local first = assert(socket.connect(name))
      first:write_line("here")
      while not theirs do
        task.sleep(1)
      end
      assert.equal("here", theirs:read_line())
      first:close()
      assert.is_nil(theirs:read_line())
      assert.equal(1, ends)
      theirs = nil
      local second = assert(socket.connect(name))
      while not theirs do
        task.sleep(1)
      end
      theirs:close()
      assert.is_nil(second:read_line())
      assert.is_true(second.closed)
      close()
    end)
  end)

  it("leaves no connection when its task is cancelled", function()
    in_folder(function(name)
      local ends = 0
      local close = assert(socket.listen(name, function(connection)
        connection.on_close = function()
          ends = ends + 1
        end
      end))
      local held = {}
      local asking = task.run(function()
        held.connection = socket.connect(name)
      end)
      assert.is_false(asking:done())
      task.cancel(asking)
      assert.is_true((task.timeout(10000, function()
        while ends == 0 do
          task.sleep(1)
        end
      end)))
      assert.is_true(asking:done())
      assert.is_nil(held.connection)
      close()
    end)
  end)

  it("goes on reading after a wait for a line was cancelled", function()
    in_folder(function(name)
      local theirs
      local close = assert(socket.listen(name, function(connection)
        theirs = connection
      end))
      local mine = assert(socket.connect(name))
      task.cancel(task.run(mine.read_line, mine))
      while not theirs do
        task.sleep(1)
      end
      theirs:write_line("late")
      assert.equal("late", mine:read_line())
      mine:close()
      close()
    end)
  end)

  it("ends when more comes than anybody reads", function()
    in_folder(function(name)
      local theirs
      local close = assert(socket.listen(name, function(connection)
        theirs = connection
      end))
      local mine = assert(socket.connect(name))
      mine:write_line("a line")
      while not theirs do
        task.sleep(1)
      end
      mine:write_line(("x"):rep(1 << 20))
      assert.is_nil(mine:read_line())
      assert.is_true(theirs.closed)
      assert.is_true(#theirs.text <= 65536)
      assert.equal("a line", theirs:read_line())
      assert.is_nil(theirs:read_line())
      close()
    end)
  end)

  it("cannot be connected to when nobody listens", function()
    in_folder(function(name)
      local connection, message = socket.connect(name)
      assert.is_nil(connection)
      assert.is_truthy(message:find(name, 1, true))
    end)
    local port = socket.free_port()
    assert.is_true(port > 1023)
    assert.is_false(socket.is_taken(port))
  end)
end)
