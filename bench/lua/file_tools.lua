-- Reads a page of a file with std.read, or edits a file with std.edit, and reads it whole for a
-- floor; prints seconds of wall time and of CPU.
-- usage: panto lua file_tools.lua read FILE OFFSET | edit FILE OLD NEW

local clock = require("panto").clock
local panto = require("panto")
local task = require("panto.sys.task")

local what, path = arg[1], arg[2]

local function timed(name, call, ...)
  collectgarbage()
  local wall, cpu = clock.mono_ms(), os.clock()
  local result = call(...)
  io.write(name, "_cpu ", os.clock() - cpu, "\n")
  io.write(name, "_wall ", (clock.mono_ms() - wall) / 1000, "\n")
  return result
end

task.loop(function()
  timed("plain", function()
    local file <close> = assert(io.open(path, "rb"))
    return #file:read("a")
  end)
  local tool = require("std." .. what)
  local input = what == "read" and { path = path, offset = math.tointeger(tonumber(arg[3])) }
    or { path = path, edits = { { old_text = arg[3], new_text = arg[4] } } }
  local result = timed("tool", tool.handler, input, { cwd = panto.fs.cwd() })
  local text = type(result) == "table" and result.text or result
  assert(type(result) ~= "table" or not result.is_error, text)
  assert(text:find(what == "read" and "the last line" or arg[4], 1, true), text)
end)
