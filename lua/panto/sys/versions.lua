-- The releases of what panto runs on.

local host = require("panto.host")
local uv = require("luv")

local versions = {}

--- Returns the releases: panto's, Lua's (as the rocks tree is named after it) and libuv's.
---@return { panto: string, lua: string, libuv: string, system: string }
function versions.read()
  local system = uv.os_uname()
  return {
    panto = host.version(),
    lua = host.path("rocks_tree"):match("lua%-([%d.]+)$") or _VERSION:match("[%d.]+"),
    libuv = uv.version_string(),
    system = ("%s %s"):format(system.sysname, system.machine),
  }
end

return versions
