-- Runs programs in sessions of their own: output as a function that yields chunks, exit status, group signals.

local children = require("panto.sys.children")
local clock = require("panto.sys.clock")
local orphans = require("panto.sys.orphans")
local task = require("panto.sys.task")
local uv = require("luv")

---@class panto.SpawnSpec
---@field file string the program
---@field args string[]? words after the program's name
---@field cwd string?
---@field env table<string, string|false>? added to the environment; false removes a name
---@field merge boolean? stdout and stderr through one pipe, in the order written
---@field stdin string|fun(): string? |nil what it reads (text, or a function of pieces); nothing when left out

---@class panto.Process
---@field pid integer
---@field output (fun(): string?)? the next chunk of both streams, with `merge`
---@field stdout (fun(): string?)?
---@field stderr (fun(): string?)?
local Process = {}
Process.__index = Process

local process = {}

local KILL_AFTER_MS, POLL_MS = 500, 10

local running = {} ---@type table<panto.Process, true>

local function environment(changes)
  local values = uv.os_environ()
  for name, value in pairs(changes or {}) do
    values[name] = value or nil
  end
  return values
end

local function close(handle)
  if not handle:is_closing() then
    handle:close()
  end
end

--- Makes a function that yields the chunks of a pipe and reads only when it is asked.
local function reader(pipe)
  local ended = false
  return function()
    if ended then
      return nil
    end
    local chunk = task.wait(function(resume)
      if pipe:is_closing() then
        return resume(nil)
      end
      pipe:read_start(function(_, data)
        if not pipe:is_closing() then
          pipe:read_stop()
        end
        resume(data)
      end)
      return function()
        if not pipe:is_closing() then
          pipe:read_stop()
        end
      end
    end)
    if not chunk then
      ended = true
      close(pipe)
    end
    return chunk
  end
end

local function feed(pipe, text)
  pipe:write(text, function()
    close(pipe)
  end)
end

-- A pipe whose one end, a luv pipe, is panto's; the other goes to the program.
local function open_pipe(theirs)
  local fds = assert(uv.pipe({ nonblock = theirs == "write" }, { nonblock = theirs == "read" }))
  local pipe = assert(uv.new_pipe(false))
  pipe:open(theirs == "write" and fds.read or fds.write)
  return pipe, fds[theirs]
end

-- The program's standard files, of which panto keeps the other ends.
local function open_files(self, spec)
  local files = {}
  if spec.stdin then
    self.input, files[1] = open_pipe("read")
  end
  self.pipes[1], files[2] = open_pipe("write")
  if spec.merge then
    files[3] = files[2]
    self.output = reader(self.pipes[1])
  else
    self.pipes[2], files[3] = open_pipe("write")
    self.stdout, self.stderr = reader(self.pipes[1]), reader(self.pipes[2])
  end
  return files
end

local function close_files(files)
  if files[3] ~= files[2] then
    uv.fs_close(files[3])
  end
  uv.fs_close(files[2])
  if files[1] then
    uv.fs_close(files[1])
  end
end

-- The system would cut a word at a NUL byte, and another command would run.
local function holds_nul(spec)
  local words = { spec.file, spec.cwd or "", table.unpack(spec.args or {}) }
  for name, value in pairs(spec.env or {}) do
    words[#words + 1] = name .. (value or "")
  end
  return table.concat(words):find("\0", 1, true) ~= nil
end

--- Starts a program in a session of its own.
---@param spec panto.SpawnSpec
---@return panto.Process?
---@return string? message
function process.spawn(spec)
  if holds_nul(spec) then
    return nil, "a NUL byte in the command"
  end
  local self = setmetatable({ pipes = {}, listeners = {} }, Process)
  local files = open_files(self, spec)
  local pid, message = children.spawn(
    {
      file = spec.file,
      args = spec.args,
      cwd = spec.cwd,
      env = environment(spec.env),
      path = (spec.env or {}).PATH or nil,
    },
    files,
    function(code, signal)
      self.code, self.signal = code, signal
      running[self] = nil
      orphans.remove(self.pid)
      for _, listener in ipairs(self.listeners) do
        listener()
      end
      self.listeners = {}
    end
  )
  close_files(files)
  if not pid then
    self:close()
    local is_there = not spec.cwd or (uv.fs_stat(spec.cwd) or {}).type == "directory"
    return nil, ("%s: %s"):format(is_there and spec.file or spec.cwd, message)
  end
  self.pid = pid
  running[self] = true
  orphans.add(pid)
  if spec.stdin then
    feed(self.input, spec.stdin)
  end
  return self
end

--- Waits until the program has ended.
---@return integer code
---@return integer signal 0 when it ended by itself
function Process:wait()
  if not self.code then
    task.wait(function(resume)
      table.insert(self.listeners, resume)
    end)
  end
  return self.code, self.signal
end

--- Sends a signal to the program's whole group; false when none of it is left.
---@param signal string "sigterm", "sigkill", …
---@return boolean
function Process:kill(signal)
  return self.pid ~= nil and uv.kill(-self.pid, signal) == 0
end

--- Closes the pipes; what the program still writes is lost.
function Process:close()
  for _, pipe in ipairs(self.pipes) do
    close(pipe)
  end
  if self.input then
    close(self.input)
  end
end

local function drain(read)
  local pieces = {}
  for chunk in read do
    pieces[#pieces + 1] = chunk
  end
  return table.concat(pieces)
end

--- Runs a program to its end; a cancelled task ends the program's group.
---@param spec panto.SpawnSpec
---@return { code: integer, signal: integer, stdout: string, stderr: string }?
---@return string? message
function process.run(spec)
  local self, message = process.spawn(spec)
  if not self then
    return nil, message
  end
  local guard <close> = setmetatable({}, {
    __close = function()
      if not self.code then
        self:kill("sigkill")
      end
      self:close()
    end,
  })
  local result = { stdout = "", stderr = "" }
  if self.output then
    result.stdout = drain(self.output)
  else
    local both = task.all({
      function()
        return drain(self.stdout)
      end,
      function()
        return drain(self.stderr)
      end,
    })
    result.stdout, result.stderr = both[1], both[2]
  end
  result.code, result.signal = self:wait()
  return result, guard and nil
end

--- Runs a program that gets panto's own terminal, in panto's process group, to its end.
---@param spec { file: string, args: string[]? }
---@return integer? code
---@return integer|string signal 0 when it ended by itself; a message without a code
function process.run_attached(spec)
  return task.wait(function(resume)
    local handle, message
    handle, message = uv.spawn(spec.file, {
      args = spec.args or {},
      stdio = { 0, 1, 2 },
    }, function(code, signal)
      close(handle)
      resume(code, signal)
    end)
    if not handle then
      resume(nil, ("%s: %s"):format(spec.file, tostring(message)))
    end
  end)
end

--- Returns the number of panto's own process.
---@return integer
function process.own_pid()
  return math.tointeger(uv.os_getpid())
end

--- Ends the group of every program that still runs, at panto's own end: the signal, then KILL for
--- what is left of them half a second later. Call it in a task.
---@param signal string
function process.kill_all(signal)
  local list = {}
  for self in pairs(running) do
    list[#list + 1] = self
    self:kill(signal)
  end
  local deadline = clock.mono_ms() + KILL_AFTER_MS
  while next(running) and clock.mono_ms() < deadline do
    task.sleep(POLL_MS)
  end
  for _, self in ipairs(list) do
    self:kill("sigkill")
  end
end

return process
