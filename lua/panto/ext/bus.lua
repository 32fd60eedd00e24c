-- Carries an event to its handlers, in the order in which they were registered.

local task = require("panto.sys.task")

local bus = {}

-- An event that decides about a call: a broken handler must not let it pass.
local FAILS_CLOSED = { tool_call_complete = true }

---@class panto.Subscription
---@field handler fun(payload: table)
---@field owner panto.Owner?
---@field broken boolean? it has raised and that was reported

---@class panto.HandlerError
---@field event string
---@field owner panto.Owner?
---@field message string
---@field traceback string

---@class panto.Bus
---@field lists table<string, panto.Subscription[]> replaced whole at each change
---@field report fun(err: panto.HandlerError)
local Bus = {}
Bus.__index = Bus

--- Returns a bus without handlers.
---@param report fun(err: panto.HandlerError)? is told once of each handler that raises
---@return panto.Bus
function bus.new(report)
  return setmetatable({ lists = {}, report = report or function() end }, Bus)
end

-- The list that an emit walks through stays as it was.
local function without(list, keep)
  local rest = {}
  for _, subscription in ipairs(list) do
    if keep(subscription) then
      rest[#rest + 1] = subscription
    end
  end
  return #rest > 0 and rest or nil
end

--- Adds a handler of an event; returns what removes it.
---@param name string
---@param handler fun(payload: table)
---@param owner panto.Owner? whose registrations go away together
---@return fun()
function Bus:on(name, handler, owner)
  local subscription = { handler = handler, owner = owner }
  local list = { table.unpack(self.lists[name] or {}) }
  list[#list + 1] = subscription
  self.lists[name] = list
  return function()
    self.lists[name] = without(self.lists[name] or {}, function(other)
      return other ~= subscription
    end)
  end
end

--- Removes every handler of an owner.
---@param owner panto.Owner
function Bus:remove(owner)
  local names = {}
  for name in pairs(self.lists) do
    names[#names + 1] = name
  end
  for _, name in ipairs(names) do
    self.lists[name] = without(self.lists[name], function(subscription)
      return subscription.owner ~= owner
    end)
  end
end

local function trace(err)
  if task.is_cancelled(err) then
    return err
  end
  return { message = tostring(err), traceback = debug.traceback("", 2) }
end

local function settle(self, name, payload, subscription, err)
  if FAILS_CLOSED[name] and not payload.denied then
    local owner = subscription.owner and subscription.owner.entry or "panto"
    payload.denied = ("the handler of %s failed: %s"):format(owner, err.message)
  end
  if not subscription.broken then
    subscription.broken = true
    self.report({
      event = name,
      owner = subscription.owner,
      message = err.message,
      traceback = err.traceback,
    })
  end
end

--- Tells every handler of an event; returns the payload as they left it.
---@param name string
---@param payload table?
---@return table
function Bus:emit(name, payload)
  payload = payload or {}
  local list = self.lists[name]
  if not list then
    return payload
  end
  for _, subscription in ipairs(list) do
    -- The wall around a handler: the others are told all the same.
    local ok, err = xpcall(subscription.handler, trace, payload)
    if not ok then
      if task.is_cancelled(err) then
        error(err, 0)
      end
      settle(self, name, payload, subscription, err)
    end
  end
  return payload
end

return bus
