-- What luacheck holds against the Lua of this repository: nothing global, nothing unused.
std = "lua54"
max_line_length = 100
cache = false
exclude_files = { ".venv", ".cache", "build", "lua/panto/_meta", "tests/fixtures" }
-- A method may ignore its receiver: components and decoders share a shape.
ignore = { "212/self", "212/_.*" }

-- Recorded wire data stays on one line.
files["spec"] = { std = "lua54+busted", max_line_length = false }
files["spec/support/run.lua"] = { globals = { "arg" } }
