-- The first word of the command line chooses the file of cli/ that runs; its exit code is panto's.

local chunks = require("panto.sys.chunks")
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
  ["trust"] = "trust",
}

-- These load so little that a cache would cost more than it saves.
local SMALL = { help = true, version = true, bootstrap = true, lua = true }

local words = env.words()
local command = words[1] and COMMANDS[words[1]]
if command then
  table.remove(words, 1)
end
if not SMALL[command] then
  chunks.install()
end
return require("panto.cli." .. (command or "chat")).run(words)
