local panto = require("panto")
local read = require("std.read")
local shell = require("std.shell")

local task, clock = panto.task, panto.clock

-- Another run of these specs must not be counted.
local MARK = (".%d"):format(require("luv").os_getpid())

local function run(input, progress)
  return task.loop(function()
    return shell.handler(input, { cwd = "/tmp", progress = progress or function() end })
  end)
end

-- The processes whose command line holds a mark, by /proc.
local function living(mark)
  local count = 0
  for _, entry in ipairs(panto.fs.list("/proc")) do
    local line = entry.name:find("^%d+$") and panto.fs.read("/proc/" .. entry.name .. "/cmdline")
    if line and line:find(mark, 1, true) then
      count = count + 1
    end
  end
  return count
end

local function wait_gone(mark, limit_ms)
  local deadline = clock.mono_ms() + limit_ms
  while living(mark) > 0 and clock.mono_ms() < deadline do
    task.sleep(50)
  end
  return living(mark)
end

describe("std.shell", function()
  it("returns both streams in the order written, and the exit code", function()
    local answer = run({ command = "echo one; echo two >&2; echo three" })
    assert.same("one\ntwo\nthree\n\n[exit code 0]", answer.text)
    assert.is_false(answer.is_error)
    answer = run({ command = "echo no; exit 3" })
    assert.same("no\n\n[exit code 3]", answer.text)
    assert.is_true(answer.is_error)
  end)

  it("says when there is no output, and which signal ended the command", function()
    assert.same("(no output)\n\n[exit code 0]", run({ command = "true" }).text)
    assert.same("(no output)\n\n[ended by signal 9]", run({ command = "kill -9 $$" }).text)
  end)

  it("has no input, no terminal and no pager", function()
    local command = "cat; echo $TERM $PAGER $GIT_PAGER; test -t 0 || echo none; "
      .. "read -r _ _ _ _ _ session _ </proc/$$/stat; test $session = $$ && echo its own session"
    local answer = run({ command = command }).text
    assert.same("dumb cat cat\nnone\nits own session\n\n[exit code 0]", answer)
  end)

  it("runs in the folder that is named", function()
    assert.same("/\n\n[exit code 0]", run({ command = "pwd", cwd = "/" }).text)
    local answer = run({ command = "pwd", cwd = "/no/where" })
    assert.is_true(answer.is_error)
    assert.matches("^cwd: /no/where does not exist", answer.text)
  end)

  it("gives live output while the command runs", function()
    local seen = {}
    run({ command = "echo a; sleep 0.3; echo b; sleep 0.3" }, function(text)
      seen[#seen + 1] = { text, clock.mono_ms() }
    end)
    assert.same("a\n", seen[1][1])
    assert.same("b\n", seen[2][1])
    assert.is_true(seen[2][2] - seen[1][2] > 200)
  end)

  it("survives any bytes, escape sequences and progress bars", function()
    local answer = run({
      command = [[printf '\377\376ok \033[31mred\033[0m \033]0;title\007\n10%%\r100%%\n\0end\n']],
    })
    assert.same("\u{FFFD}\u{FFFD}ok red \n100%\nend\n\n[exit code 0]", answer.text)
  end)

  it("ends the group at the time limit", function()
    local started = clock.mono_ms()
    local answer = run({
      command = "echo begun; sleep 4711" .. MARK .. " & sleep 4711" .. MARK .. "; echo never",
      timeout_s = 0.5,
    })
    assert.matches("^begun\n\n%[timed out after 0.5 s", answer.text)
    assert.is_true(answer.is_error)
    assert.is_true(clock.mono_ms() - started < 2500)
    assert.same(0, living("sleep\0004711" .. MARK))
  end)

  it("kills what ignores TERM three seconds later", function()
    local started = clock.mono_ms()
    local answer = run({
      command = "trap '' TERM; : one" .. MARK .. "; while :; do sleep 0.05; done",
      timeout_s = 0.3,
    })
    local took = clock.mono_ms() - started
    assert.matches("timed out", answer.text)
    assert.is_true(took > 3000 and took < 6000)
    assert.same(0, living("one" .. MARK))
  end)

  it("is not held up by a grandchild that keeps the pipe, and leaves it running", function()
    local started = clock.mono_ms()
    local answer = run({ command = "sleep 4712" .. MARK .. " & echo $!; echo done" })
    assert.matches("^%d+\ndone\n\n%[a process in the background keeps the output open", answer.text)
    assert.is_true(clock.mono_ms() - started < 1500)
    assert.same(1, living("sleep\0004712" .. MARK))
    run({ command = "kill " .. answer.text:match("^(%d+)\n") })
  end)

  it("is not held up by a grandchild that never stops writing", function()
    local started = clock.mono_ms()
    run({ command = "(for i in $(seq 100); do echo tick; sleep 0.1; done) & echo done" })
    assert.is_true(clock.mono_ms() - started < 4000)
  end)

  it("keeps the end of a long output, and all of it in a private file", function()
    local answer = run({ command = "seq 1 5000" })
    local body = answer.text:match("^(.-)\n\n%[")
    assert.matches("^3001\n", body)
    assert.matches("\n5000$", body)
    assert.matches(
      "[lines 3001-5000 of 5000 are shown; 23.3 KB in all]\n[exit code 0]\n",
      answer.text,
      1,
      true
    )
    local call = panto.json.decode(answer.text:match("std%.read ({.*})"))
    assert.same(384, panto.fs.stat(call.path).mode)
    assert.same(448, panto.fs.stat(panto.fs.dirname(call.path)).mode)
    assert.matches("^1\n2\n", read.handler(call, { cwd = "/" }))
    panto.fs.remove(call.path)
  end)

  it("keeps 50 KB of long lines", function()
    local answer =
      run({ command = "for i in $(seq 100); do head -c 999 /dev/zero | tr '\\0' x; echo; done" })
    local body = answer.text:match("^(.-)\n\n%[")
    assert.is_true(#body <= 50 * 1024 and #body > 49 * 1024)
    assert.matches("%[lines 50%-100 of 100 are shown", answer.text)
    panto.fs.remove(answer.details.path)
  end)

  it("makes no file of a short output", function()
    assert.is_nil(run({ command = "seq 1 1000" }).details.path)
  end)

  it("ends the whole group at once when it is cancelled", function()
    task.loop(function()
      local t = task.run(
        shell.handler,
        { command = "sleep 4713" .. MARK .. " & sleep 4713" .. MARK },
        { cwd = "/tmp" }
      )
      t.observed = true
      local deadline = clock.mono_ms() + 3000
      while living("sleep\0004713" .. MARK) < 2 and clock.mono_ms() < deadline do
        task.sleep(20)
      end
      assert.same(2, living("sleep\0004713" .. MARK))
      local started = clock.mono_ms()
      task.cancel(t)
      while not t:done() do
        task.sleep(5)
      end
      assert.is_true(clock.mono_ms() - started < 1000)
      assert.same(0, living("sleep\0004713" .. MARK))
      assert.is_true(task.is_cancelled(t.err))
    end)
  end)

  it("kills a cancelled command that ignores TERM, even when it is cancelled again", function()
    task.loop(function()
      local command = "trap '' TERM; : two" .. MARK .. "; while :; do sleep 0.05; done"
      local t = task.run(shell.handler, { command = command }, { cwd = "/tmp" })
      t.observed = true
      task.sleep(200)
      task.cancel(t)
      task.sleep(100)
      task.cancel(t)
      assert.same(1, living("two" .. MARK))
      assert.same(0, wait_gone("two" .. MARK, 6000))
    end)
  end)
end)
