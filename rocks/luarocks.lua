-- The words of bin/luarocks to luarocks.
arg[0] = "luarocks" -- luacheck: ignore 122
require("luarocks.cmd").run_command(...)
