-- Other folders in the place of panto's own, for tests.

local env = require("panto.sys.env")
local uv = require("luv")

local redirect = {}

--- Puts other folders in the place of panto's own; returns what ends that.
---@param folders table<string, string> by their names
---@param cwd string becomes the current folder
---@return fun() restore
function redirect.start(folders, cwd)
  local former, left = env.set_folders(folders), uv.cwd()
  assert(uv.chdir(cwd))
  return function()
    env.set_folders(former)
    uv.chdir(left)
  end
end

return redirect
