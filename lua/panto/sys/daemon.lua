-- Starts a program that outlives panto: in a session of its own, its output in a file.

local uv = require("luv")

local daemon = {}

---@class panto.DaemonSpec
---@field file string the program
---@field args string[]
---@field cwd string
---@field env table<string, string>? added to the environment
---@field log string the file that gets its output, anew

--- Starts a program and does not wait for it.
---@param spec panto.DaemonSpec
---@return true?
---@return string? message
function daemon.start(spec)
  local log, message = uv.fs_open(spec.log, "w", 384) -- 0600
  if not log then
    return nil, tostring(message)
  end
  local names, list = uv.os_environ(), {}
  for name, value in pairs(spec.env or {}) do
    names[name] = value
  end
  for name, value in pairs(names) do
    list[#list + 1] = name .. "=" .. value
  end
  local handle, problem
  handle, problem = uv.spawn(spec.file, {
    args = spec.args,
    cwd = spec.cwd,
    env = list,
    stdio = { nil, log, log },
    detached = true,
  }, function()
    handle:close()
  end)
  uv.fs_close(log)
  if not handle then
    return nil, ("%s: %s"):format(spec.file, tostring(problem))
  end
  handle:unref()
  return true
end

return daemon
