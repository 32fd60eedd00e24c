-- Hands what Python's worker threads post (id, kind, bytes) to the listener of that id, on the luv loop.

local host = require("panto.host")
local uv = require("luv")

local inbox = {}

-- Keys and frames are not kept waiting by a flood: what is left over wakes the loop again.
local SLICE_NS = 5e6

local listeners = {} ---@type table<integer, fun(kind: string, data: string)>
local open_ids = 0
local last_id = 0
local poll = nil

local function drain()
  local started = uv.hrtime()
  repeat
    local id, kind, data, has_more = host.inbox_next()
    local listener = listeners[id]
    if listener then
      listener(kind, data)
    end
  until not has_more or uv.hrtime() - started > SLICE_NS
end

--- Opens a new id whose messages go to `listener`; the loop stays alive until it is closed.
---@param listener fun(kind: string, data: string)
---@return integer id
function inbox.open(listener)
  if not poll then
    poll = assert(uv.new_poll(host.inbox_fd()))
    poll:start("r", drain)
  end
  last_id = last_id + 1
  listeners[last_id] = listener
  open_ids = open_ids + 1
  poll:ref()
  return last_id
end

--- Closes an id: what is posted to it from now on is dropped.
---@param id integer
function inbox.close(id)
  if listeners[id] then
    listeners[id] = nil
    open_ids = open_ids - 1
    if open_ids == 0 then
      poll:unref()
    end
  end
end

return inbox
