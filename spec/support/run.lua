-- Runs busted spec files in whichever Lua runs this file, and exits 0 or 1:
-- `lua5.4 spec/support/run.lua [FILES…]` or `.venv/bin/panto lua spec/support/run.lua [FILES…]`.

local root = (arg[0]:match("^(.*/)spec/support/run%.lua$") or "./")

-- The repository's own modules come first, the caller's rocks next, the system's busted last.
local own = { root .. "lua/?.lua", root .. "lua/?/init.lua", root .. "spec/support/?.lua" }
local system_path, system_cpath = {}, {}
for _, version in ipairs({ "5.4", "5.3", "5.1" }) do
  for _, share in ipairs({ "/usr/local/share/lua/", "/usr/share/lua/", "/opt/homebrew/share/lua/" }) do
    table.insert(system_path, share .. version .. "/?.lua")
    table.insert(system_path, share .. version .. "/?/init.lua")
  end
end
-- Compiled modules only of this very Lua version: another one's would crash it.
for _, lib in ipairs({
  "/usr/local/lib/lua/5.4/",
  "/usr/lib/x86_64-linux-gnu/lua/5.4/",
  "/usr/lib/aarch64-linux-gnu/lua/5.4/",
  "/usr/lib/lua/5.4/",
  "/opt/homebrew/lib/lua/5.4/",
}) do
  table.insert(system_cpath, lib .. "?.so")
end
package.path = table.concat(own, ";")
  .. ";"
  .. package.path
  .. ";"
  .. table.concat(system_path, ";")
package.cpath = package.cpath .. ";" .. table.concat(system_cpath, ";")

-- busted unloads what a spec file loaded; luv must stay the one loop of the process.
pcall(require, "luv")

--- Lists every spec file below spec/, in a stable order.
local function all_specs()
  local lfs = require("lfs")
  local found = {}
  local function visit(folder)
    for name in lfs.dir(folder) do
      local path = folder .. "/" .. name
      if not name:match("^%.") and lfs.attributes(path, "mode") == "directory" then
        visit(path)
      elseif name:match("_spec%.lua$") then
        table.insert(found, path)
      end
    end
  end
  visit(root .. "spec")
  table.sort(found)
  return found
end

local options, files = {}, {}
for _, word in ipairs(arg) do
  table.insert(word:match("^%-") and options or files, word)
end
if #files == 0 then
  files = all_specs()
end
for index = #arg, 1, -1 do
  arg[index] = nil
end
for _, word in ipairs(options) do
  table.insert(arg, word)
end
for _, word in ipairs(files) do
  table.insert(arg, word)
end

-- busted exits with the number of failures, which is 0 again at 256 of them.
local exit = os.exit
os.exit = function(code, close) -- luacheck: ignore 122
  io.stdout:flush()
  exit((code == 0 or code == true or code == nil) and 0 or 1, close)
end

local ok, runner = pcall(require, "busted.runner")
if not ok then
  io.stderr:write(
    "spec/support/run.lua: busted is missing (Debian: apt install lua-busted)\n",
    runner,
    "\n"
  )
  os.exit(1, true)
end
runner({ standalone = false, output = "plainTerminal" })
os.exit(0, true)
