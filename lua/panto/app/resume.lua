-- What `--resume` says into the log of an earlier session, opened to go on.

local env = require("panto.sys.env")
local index = require("panto.session.index")
local log = require("panto.session.log")
local process = require("panto.sys.process")

local resume = {}

--- Opens a folder's last session, or the one whose id begins with `wish`.
---@param wish string|true
---@param cwd string
---@return panto.session.Log?
---@return string? message
function resume.open(wish, cwd)
  local prefix = wish ~= true and wish or nil
  local path, message = index.find(env.path("sessions"), cwd, prefix)
  if not path then
    return nil, message
  end
  return log.open(path, { pid = process.own_pid() })
end

return resume
