-- What `--resume` and `--fork` say into the log of an earlier session, opened to go on.

local clock = require("panto.sys.clock")
local env = require("panto.sys.env")
local find = require("panto.session.find")
local fork = require("panto.session.fork")
local log = require("panto.session.log")
local process = require("panto.sys.process")

local resume = {}

--- Copies a session into a new one, whoever has it open.
---@param path string
---@param cwd string
---@return panto.session.Log?
---@return string? message
function resume.fork(path, cwd)
  local source, message = log.open(path, { read_only = true })
  if not source then
    return nil, message
  end
  local copy
  copy, message = fork.copy(source, {
    dir = env.path("sessions"),
    cwd = cwd,
    now_ms = clock.now_ms,
    version = env.version(),
    pid = process.own_pid(),
  })
  source:close()
  if copy then
    local text = "this is a copy of session %s, which stays as it is"
    table.insert(copy.notes, text:format(source:short_id()))
  end
  return copy, message
end

--- Opens a session's file to go on.
---@param path string
---@return panto.session.Log?
---@return string? message
---@return boolean? is_locked another panto has it open
function resume.open_path(path)
  return log.open(path, { pid = process.own_pid() })
end

--- Opens a folder's last session, or the one whose id begins with `wish`.
---@param wish string|true
---@param cwd string
---@param is_fork boolean? copy it first
---@return panto.session.Log?
---@return string? message
---@return string? locked path of the session when another panto has it open
function resume.open(wish, cwd, is_fork)
  local prefix = wish ~= true and wish or nil
  local search = prefix and is_fork and find.anywhere or find.here
  local path, message = search(env.path("sessions"), cwd, prefix)
  if not path then
    return nil, message
  elseif is_fork then
    return resume.fork(path, cwd)
  end
  local opened, is_locked
  opened, message, is_locked = resume.open_path(path)
  if is_locked then
    message = message .. "; add --fork to go on with a copy of it"
  end
  return opened, message, is_locked and path or nil
end

return resume
