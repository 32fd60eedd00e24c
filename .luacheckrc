-- What luacheck holds against the Lua of this repository: nothing global, nothing unused.
std = "lua54"
max_line_length = 100
-- A type annotation cannot be broken; StyLua does not wrap comments either.
max_comment_line_length = 120
cache = false
exclude_files = { ".venv", ".cache", "build", "lua/panto/_meta", "tests/fixtures" }
-- A method may ignore its receiver: components and decoders share a shape.
ignore = { "212/self", "212/_.*" }

-- Recorded wire data stays on one line.
files["spec"] = { std = "lua54+busted", max_line_length = false }
-- Specs of extensions run in panto test, whose assert knows more.
files["examples"] = { std = "lua54+busted", ignore = { "212/self", "212/_.*", "143/assert" } }
files["spec/support/run.lua"] = { globals = { "arg" } }
-- Mends io and os where lupa's Lua lacks what the manual promises.
files["lua/panto/sys/shims.lua"] = { globals = { "io", "os" } }
-- What extensions print goes into the transcript while the terminal is panto's.
files["lua/panto/app/capture.lua"] = { globals = { "io" } }
-- Takes lupa's own global away.
files["lua/panto/sys/boot.lua"] = { globals = { "python" } }
