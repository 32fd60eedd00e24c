-- The first word of the command line chooses the file of cli/ that runs; its exit code is panto's.

local env = require("panto.sys.env")

local COMMANDS = {
  ["help"] = "help",
  ["--help"] = "help",
  ["-h"] = "help",
  ["--version"] = "version",
  ["sessions"] = "sessions",
  ["auth"] = "auth",
  ["bootstrap"] = "bootstrap",
  ["doctor"] = "doctor",
  ["update"] = "update",
  ["lua"] = "lua",
  ["run"] = "run",
  ["tutor"] = "tutor",
  ["local"] = "local",
  ["trust"] = "trust",
  ["init"] = "init",
  ["test"] = "test",
}

-- These load so little that a cache would cost more than it saves.
local SMALL = { help = true, version = true, bootstrap = true, lua = true }

-- These run Lua of the user's own, which may require what stands beside it.
local SCRIPTS = { lua = true, test = true }

local words = env.words()
local command = words[1] and COMMANDS[words[1]]
if words[2] == "--help" and command and command ~= "lua" then
  command = "help"
elseif command then
  table.remove(words, 1)
end
-- What lies in the folder that panto stands in is no module of panto: a clone could slip one in.
if not SCRIPTS[command] then
  package.path = package.path:gsub(";%./[^;]*", "")
  package.cpath = package.cpath:gsub(";%./[^;]*", "")
end
if not SMALL[command] then
  require("panto.sys.chunks").install()
end
local run = require("panto.cli." .. (command or "chat")).run
if command == "lua" then
  return run(words)
end

-- What could not be written is a failure, unless the reader left early (`panto help | head -1`).
local write, problem = io.write, nil
local function note(file, message, ...)
  problem = problem or not file and message or nil
  return file, message, ...
end
io.write = function(...) -- luacheck: ignore 122
  return note(write(...))
end
local code = run(words, COMMANDS)
note(io.stdout:flush())
if code == 0 and problem and not problem:find("Broken pipe", 1, true) then
  io.stderr:write("panto: cannot write to standard output: ", problem, "\n")
  return 1
end
return code
