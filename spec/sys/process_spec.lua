local fs = require("panto.sys.fs")
local process = require("panto.sys.process")
local task = require("panto.sys.task")
local clock = require("panto.sys.clock")

--- Counts the processes of a group that are not zombies, by /proc.
local function living(group)
  local count = 0
  for _, entry in ipairs(fs.list("/proc")) do
    local line = entry.name:find("^%d+$") and fs.read("/proc/" .. entry.name .. "/stat")
    local state, its_group = (line or ""):match(".*%) (%a) %d+ (%d+)")
    if state and state ~= "Z" and tonumber(its_group) == group then
      count = count + 1
    end
  end
  return count
end

describe("process.run", function()
  it("collects both streams and the exit code", function()
    task.loop(function()
      local result = process.run({ file = "sh", args = { "-c", "echo out; echo err >&2; exit 3" } })
      assert.same({ stdout = "out\n", stderr = "err\n", code = 3, signal = 0 }, result)
    end)
  end)

  it("merges the streams in the order written", function()
    task.loop(function()
      local script = "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"
      local result = process.run({ file = "sh", args = { "-c", script }, merge = true })
      local expected = {}
      for i = 1, 9 do
        expected[#expected + 1] = ("o%d\ne%d\n"):format(i, i)
      end
      assert.equal(table.concat(expected), result.stdout)
    end)
  end)

  it("keeps any bytes", function()
    task.loop(function()
      local result = process.run({ file = "printf", args = { "\\377\\000\\376" } })
      assert.equal("\255\0\254", result.stdout)
    end)
  end)

  it("feeds stdin, and gives none when not asked to", function()
    task.loop(function()
      assert.equal("hello", process.run({ file = "cat", stdin = "hello" }).stdout)
      assert.equal("", process.run({ file = "cat" }).stdout)
    end)
  end)

  it("adds to the environment and removes from it", function()
    task.loop(function()
      local spec =
        { file = "sh", args = { "-c", 'echo "$A-$HOME-"' }, env = { A = "b", HOME = false } }
      assert.equal("b--\n", process.run(spec).stdout)
    end)
  end)

  it(
    "names the folder that is not there, and stays in its own, also when that was removed",
    function()
      task.loop(function()
        local uv = require("luv")
        local here, gone = uv.cwd(), assert(uv.fs_mkdtemp("/tmp/panto-XXXXXX"))
        local guard <close> = setmetatable({}, {
          __close = function()
            uv.chdir(here)
          end,
        })
        uv.chdir(gone)
        uv.fs_rmdir(gone)
        for _ = 1, 2 do
          local result, message = process.run({ file = "pwd", cwd = "/nonexistent/folder" })
          assert.is_nil(result)
          assert.matches("/nonexistent/folder", message, 1, true)
          assert.is_nil(process.run({ file = "/nonexistent/program", cwd = "/" }))
          assert.equal("/\n", process.run({ file = "pwd", cwd = "/" }).stdout)
          assert.is_nil((uv.cwd()))
        end
        return guard
      end)
    end
  )

  it("says what could not be started", function()
    task.loop(function()
      local result, message = process.run({ file = "/nonexistent/program" })
      assert.is_nil(result)
      assert.matches("nonexistent", message)
    end)
  end)

  it("ends the whole group when its task is cancelled", function()
    task.loop(function()
      local proc
      local t = task.run(function()
        proc = assert(process.spawn({ file = "sh", args = { "-c", "sleep 300 & sleep 300" } }))
        local ok, err = pcall(proc.wait, proc)
        proc:kill("sigkill")
        error(ok and "ended" or err, 0)
      end)
      task.sleep(50)
      assert.equal(3, living(proc.pid))
      task.cancel(t)
      task.sleep(100)
      assert.equal(0, living(proc.pid))
    end)
  end)
end)

describe("reading output", function()
  it("is done only when asked, so that a fast writer waits", function()
    task.loop(function()
      local proc = assert(process.spawn({ file = "sh", args = { "-c", "yes" }, merge = true }))
      assert.matches("^y\n", proc.output())
      task.sleep(50)
      assert.is_true(collectgarbage("count") < 100 * 1024)
      proc:kill("sigkill")
      proc:wait()
      proc:close()
    end)
  end)

  it("of 100 MB takes no memory and little time", function()
    task.loop(function()
      local before, size = clock.mono_ms(), 0
      local proc = assert(process.spawn({
        file = "sh",
        args = { "-c", "head -c 100000000 /dev/zero" },
        merge = true,
      }))
      for chunk in proc.output do
        size = size + #chunk
      end
      assert.equal(100000000, size)
      assert.is_true(clock.mono_ms() - before < 10000)
      proc:wait()
    end)
  end)

  it("refuses a NUL byte, at which the system would cut the command", function()
    for _, spec in ipairs({
      { file = "sh", args = { "-c", "echo a\0b" } },
      { file = "true", env = { A = "1\0PATH=/nowhere" } },
    }) do
      local proc, message = process.spawn(spec)
      assert.is_nil(proc)
      assert.matches("NUL", message)
    end
  end)

  it("ends all programs at the end, those too that ignore TERM", function()
    task.loop(function()
      local words = { "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done" }
      local proc = assert(process.spawn({ file = "sh", args = words, merge = true }))
      assert.equal("up\n", proc.output())
      local before = clock.mono_ms()
      process.kill_all("sigterm")
      local _, signal = proc:wait()
      assert.equal(9, signal)
      assert.is_true(clock.mono_ms() - before < 3000)
    end)
  end)
end)
