-- Starts programs through the host, which need not copy panto's memory for that as luv does, and
-- tells of their ends.

local host = require("panto.host")
local uv = require("luv")

local children = {}

local running = {} ---@type table<integer, fun(code: integer, signal: integer)> by process
local watcher = nil ---@type table?
local nothing = nil ---@type integer? descriptor of /dev/null

-- One signal may tell of many ends.
local function collect()
  local ended = {}
  for pid in pairs(running) do
    local status = host.child_status(pid)
    if status then
      ended[#ended + 1] = { pid = pid, status = status }
    end
  end
  for _, one in ipairs(ended) do
    local tell = running[one.pid]
    running[one.pid] = nil
    tell(one.status >> 8 & 0xFF, one.status & 0x7F)
  end
  if not next(running) then
    watcher:unref()
  end
end

local function watch()
  if not watcher then
    watcher = assert(uv.new_signal())
    watcher:start("sigchld", collect)
  end
  watcher:ref()
end

-- The host looks where panto's own PATH says; a program's own PATH is looked through here.
local function find(file, path)
  for folder in not file:find("/", 1, true) and path and path:gmatch("[^:]+") or function() end do
    local name = folder .. "/" .. file
    if uv.fs_access(name, "X") and uv.fs_stat(name).type == "file" then
      return name
    end
  end
  return file
end

--- Starts a program in a session of its own; the loop stays alive until it has ended.
---@param spec { file: string, args: string[]?, cwd: string?, env: table<string, string>, path: string? }
--- `env` is its whole environment, `path` where the program is looked for when not in panto's own
---@param files { [1]: integer?, [2]: integer?, [3]: integer? } its standard files; nothing where nil
---@param ended fun(code: integer, signal: integer) the signal is 0 when it ended by itself
---@return integer? pid
---@return string? message
function children.spawn(spec, files, ended)
  local words, variables = { find(spec.file, spec.path), table.unpack(spec.args or {}) }, {}
  for name, value in pairs(spec.env) do
    variables[#variables + 1] = name .. "=" .. value
  end
  watch()
  nothing = nothing or assert(uv.fs_open("/dev/null", "r+", 0))
  local pid, message = host.child_spawn(
    table.concat(words, "\0"),
    table.concat(variables, "\0"),
    spec.cwd or ".",
    files[1] or nothing,
    files[2] or nothing,
    files[3] or nothing
  )
  if pid then
    running[pid] = ended
  elseif not next(running) then
    watcher:unref()
  end
  return pid, message
end

return children
