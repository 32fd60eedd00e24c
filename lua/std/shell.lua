-- The std.shell tool: turns a command line into its output, exit code and live text.
local group = require("std.lib.group")
local live = require("std.lib.live")
local panto = require("panto")
local report = require("std.lib.report")
local spill = require("std.lib.spill")
local tail = require("std.lib.tail")
local target = require("std.lib.target")

local clock, fs, process, task = panto.clock, panto.fs, panto.process, panto.task

local MAX_LINES, MAX_BYTES = 2000, 50 * 1024
local MAX_TIMEOUT_S = 3600
local GRACE_MS, MAX_GRACE_MS = 200, 2000

local ENVIRONMENT = {
  TERM = "dumb",
  PAGER = "cat",
  GIT_PAGER = "cat",
  MANPAGER = "cat",
  SYSTEMD_PAGER = "cat",
  GIT_TERMINAL_PROMPT = "0",
  GIT_EDITOR = "true",
}

local function failed(message)
  return { text = message, is_error = true }
end

local function folder_of(input, ctx)
  local folder = target.resolve(input.cwd or ".", ctx)
  local stat, message, code = fs.stat(folder)
  if not stat then
    return nil, "cwd: " .. target.failure(folder, message, code)
  elseif stat.type ~= "directory" then
    return nil, ("cwd: %s is not a folder"):format(folder)
  end
  return folder
end

local function timeout_of(input)
  local wanted = input.timeout_s or panto.config.shell.timeout_s or 120
  return math.max(0.1, math.min(wanted, MAX_TIMEOUT_S))
end

-- bash where there is one, else the user's shell.
local function start(command, folder)
  local message
  for _, file in ipairs({ "bash", os.getenv("SHELL") or "/bin/sh", "/bin/sh" }) do
    local proc
    proc, message = process.spawn({
      file = file,
      args = { "-c", command },
      cwd = folder,
      env = ENVIRONMENT,
      merge = true,
    })
    if proc then
      return proc
    end
  end
  return nil, message
end

local function read_output(proc, kept, shown)
  for chunk in proc.output do
    kept:add(chunk)
    shown:add(chunk)
  end
end

-- The shell has ended; true when something else still holds its output.
local function read_rest(reader, kept)
  local deadline = clock.mono_ms() + MAX_GRACE_MS
  repeat
    local seen = kept.total
    local ended = task.timeout(GRACE_MS, task.await, reader)
  until ended or kept.total == seen or clock.mono_ms() > deadline
  return not reader:done()
end

local function run(proc, timeout_s, kept, shown)
  local guard <close> = group.guard(proc)
  local reader <close> = task.run(read_output, proc, kept, shown)
  local in_time, code, signal = task.timeout(timeout_s * 1000, proc.wait, proc)
  if not in_time then
    group.close(proc)
    task.timeout(1000, proc.wait, proc)
  end
  local held = read_rest(reader, kept)
  return {
    code = code,
    signal = signal,
    held = held and in_time,
    timed_out = not in_time,
    timeout_s = timeout_s,
    max_timeout_s = MAX_TIMEOUT_S,
  },
    guard
end

local function closing(...)
  local things = { ... }
  return setmetatable({}, {
    __close = function()
      for _, thing in ipairs(things) do
        thing:close()
      end
    end,
  })
end

local function answer(command, folder, timeout_s, progress)
  local file = spill.new("shell")
  local kept = tail.new({ max_bytes = MAX_BYTES, max_lines = MAX_LINES, spill = file })
  local shown = live.new(progress)
  local ending <close> = closing(shown, file)
  local proc, message = start(command, folder)
  if not proc then
    return failed("no shell could be started: " .. tostring(message))
  end
  local outcome = run(proc, timeout_s, kept, shown)
  return {
    text = report.render(kept, file, outcome),
    is_error = outcome.timed_out or outcome.code ~= 0 or outcome.signal ~= 0,
    details = { exit_code = outcome.code, signal = outcome.signal, path = file.path },
  },
    ending
end

return {
  name = "std.shell",
  description = "Run a command with bash and get its output (stdout and stderr together) and exit "
    .. "code. There is no terminal and no input. Output over 2000 lines or 50 KB is kept in a file "
    .. "and only its end is shown. Default limit 120 s.",
  schema = {
    type = "object",
    properties = {
      command = { type = "string", description = "Command line for bash -c" },
      timeout_s = { type = "number", description = "Time limit in seconds, at most 3600" },
      cwd = { type = "string", description = "Folder to run in" },
    },
    required = { "command" },
  },
  handler = function(input, ctx)
    local folder, message = folder_of(input, ctx)
    if not folder then
      return failed(message)
    end
    return (answer(input.command, folder, timeout_of(input), ctx.progress))
  end,
}
