-- luarocks' command line, also callable as run_command("install", "lpeg"): the command's words alone.
local _, file = ...

-- It would look for its own name on the stack, where only C functions are.
require("luarocks.util").this_program = function()
  return "luarocks"
end

-- Root's downloads would go to a cache of the whole system.
local fs = require("luarocks.fs")
local init = fs.init
local cache = file:match("^(.*)/luarocks/luarocks/cmd%.lua$") .. "/.cache"
fs.init = function(...)
  init(...)
  fs.system_cache_dir = function()
    return cache
  end
end

local cmd = assert(loadfile((file:gsub("cmd%.lua$", "cmd_real.lua"))))(...)
local run_command = cmd.run_command

local names = {}
local listed = "init pack unpack build install search list remove make download path show "
  .. "new_version lint write_rockspec purge doc upload config which test"
for name in listed:gmatch("%S+") do
  names[name] = "luarocks.cmd." .. name
end

local title = "LuaRocks main command-line interface"

function cmd.run_command(first, commands, ...)
  if type(commands) == "table" then
    return run_command(first, commands, ...)
  end
  local words = table.pack(first, commands, ...)
  while words.n > 0 and words[words.n] == nil do
    words.n = words.n - 1
  end
  return run_command(title, names, "luarocks.cmd.external", table.unpack(words, 1, words.n))
end

return cmd
