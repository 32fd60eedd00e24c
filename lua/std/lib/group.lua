-- Ends a program with all that it started: TERM to its process group, KILL when that is ignored.
local panto = require("panto")
local uv = require("luv")

local clock, fs, task = panto.clock, panto.fs, panto.task

local process_group = {}

local KILL_AFTER_MS = 3000
local POLL_MS = 20

-- Counts dead processes that nobody has collected (a container without an init) as gone.
local function has_living(pid)
  local scan = uv.fs_scandir("/proc")
  local name = scan and uv.fs_scandir_next(scan)
  if not name then
    return true
  end
  while name do
    local stat = name:find("^%d+$") and fs.read("/proc/" .. name .. "/stat")
    local state, group = (stat or ""):match("^%d+ %(.*%) (%S) %d+ (%d+)")
    if tonumber(group) == pid and state ~= "Z" and state ~= "X" then
      return true
    end
    name = uv.fs_scandir_next(scan)
  end
  return false
end

local function is_alive(proc)
  return uv.kill(-proc.pid, 0) == 0 and has_living(proc.pid)
end

local function wait_gone(proc, limit_ms)
  local deadline = clock.mono_ms() + limit_ms
  while is_alive(proc) do
    if clock.mono_ms() >= deadline then
      return false
    end
    task.sleep(POLL_MS)
  end
  return true
end

local function finish(proc)
  proc:kill("sigterm")
  proc:kill("sigcont")
  if not wait_gone(proc, KILL_AFTER_MS) then
    proc:kill("sigkill")
    wait_gone(proc, 500)
  end
end

--- Ends the program's group and waits until it is gone, 3.5 seconds at most. The KILL comes also
--- when the wait is cancelled.
---@param proc panto.Process
function process_group.close(proc)
  task.await(task.run(finish, proc))
end

--- Returns a value that, at the end of its scope, ends the group when the scope is left by an error
---(a cancelled task), and closes the pipes in any case.
---@param proc panto.Process
---@return table guard for `local guard <close>`
function process_group.guard(proc)
  return setmetatable({}, {
    __close = function(_, problem)
      if problem ~= nil then
        process_group.close(proc)
      end
      proc:close()
    end,
  })
end

return process_group
