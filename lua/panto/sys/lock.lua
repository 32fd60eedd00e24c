-- Advisory file locks (flock) that end with the process, by the host.

local host = require("panto.host")

---@class panto.Lock
local Lock = {}
Lock.__index = Lock

local lock = {}

--- Takes the lock of a file, made when it is missing.
---@param name string
---@param options { wait: boolean? }? without `wait` a lock held elsewhere is a failure
---@return panto.Lock?
---@return string? message
function lock.open(name, options)
  local id, message = host.file_lock(name, options ~= nil and options.wait == true)
  if not id then
    return nil, message
  end
  return setmetatable({ id = id }, Lock)
end

--- Gives the lock back; safe to call again.
function Lock:release()
  if self.id then
    host.file_unlock(self.id)
    self.id = nil
  end
end

Lock.__close = Lock.release

return lock
