-- Checks what panto runs on: Lua, luv, the tree's stamp, the folders.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local random = require("panto.sys.random")
local toml = require("panto.sys.toml")
local versions = require("panto.sys.versions")

local runtime = {}

local REBUILD = "panto bootstrap --force (it removes your own rocks, too)"

local function check_stamp(report, tree)
  local stamp = fs.read(fs.join(tree, "stamp.toml"))
  local pin = fs.read(fs.join(env.path("rocks_pins"), "battery.toml")) or ""
  if not stamp then
    report:add("error", "rocks tree", tree .. " has no stamp: it was not built by panto", REBUILD)
  elseif stamp:sub(1, #pin) ~= pin then
    report:add("warn", "rocks tree", tree .. " is of another panto", "panto bootstrap")
  else
    local values = toml.decode(stamp) or {}
    local built = values.built or {}
    local text = ("%s, luv %s, built for %s"):format(tree, values.version, built.machine)
    report:add("ok", "rocks tree", text)
  end
end

local function check_folder(report, subject, folder)
  local probe = fs.join(folder, (".probe-%d"):format(random.bytes(4):byte()))
  local ok, message = fs.write(probe, "", { parents = true })
  if ok then
    fs.remove(probe)
    report:add("ok", subject, folder)
  else
    report:add("error", subject, message, "make it writable")
  end
end

--- Checks Lua, luv, the rocks tree and the folders that panto writes.
---@param report panto.cli.Report
function runtime.check(report)
  local found = versions.read()
  local text = ("panto %s, Lua %s, libuv %s, %s"):format(
    found.panto,
    found.lua,
    found.libuv,
    found.system
  )
  report:add("ok", "runtime", text)
  report:add("ok", "python", env.path("python"))
  check_stamp(report, env.path("rocks_tree"))
  check_folder(report, "data home", env.path("data_home"))
  check_folder(report, "state home", env.path("state_home"))
  check_folder(report, "sessions", env.path("sessions"))
end

return runtime
