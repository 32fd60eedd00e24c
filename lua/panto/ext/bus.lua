-- Carries an event to its handlers, in the order in which they were registered.

local event = require("panto.ext.event")
local task = require("panto.sys.task")
local watchdog = require("panto.sys.watchdog")

local bus = {}

-- An event that decides about a call: a broken handler must not let it pass.
local FAILS_CLOSED = { tool_call_complete = true }

---@class panto.Subscription
---@field handler fun(e: panto.Event)
---@field owner panto.Owner?
---@field broken boolean? it has raised and that was reported
---@field calls integer
---@field errors integer

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
---@param handler fun(e: panto.Event)
---@param owner panto.Owner? whose registrations go away together
---@return fun()
function Bus:on(name, handler, owner)
  local subscription = { handler = handler, owner = owner, calls = 0, errors = 0 }
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
  subscription.errors = subscription.errors + 1
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

-- Handlers are told one after the other, each behind a wall and with a watch on it.
local function tell(self, list, e, state)
  local payload = state.payload
  local mine = watchdog.start(tell)
  for _, subscription in ipairs(list) do
    subscription.calls = subscription.calls + 1
    watchdog.reset()
    local ok, err = xpcall(subscription.handler, trace, e)
    if not ok then
      if task.is_cancelled(err) then
        watchdog.stop(mine)
        state.live = false
        error(err, 0)
      end
      settle(self, state.name, payload, subscription, err)
    end
  end
  watchdog.stop(mine)
end

--- Tells every handler of an event; returns the payload and the component as they left them.
---@param name string
---@param payload table?
---@param component table? what would be mounted without any handler
---@return table payload
---@return table? component
function Bus:emit(name, payload, component)
  payload = payload or {}
  local list, mount = self.lists[name], self.mount
  if mount then
    component = mount:open(name, payload) or component
  end
  if list then
    local e, state = event.new(name, payload, component)
    tell(self, list, e, state)
    state.live = false
    component = state.component
  end
  if mount then
    mount:close(name, payload, component)
  end
  return payload, component
end

---@class panto.Mount
---@field open fun(self, name: string, payload: table): table? the default component of an event
---@field close fun(self, name: string, payload: table, component: table?) shows what was chosen

--- Sets what shows the events; there is one at most.
---@param mount panto.Mount?
function Bus:set_mount(mount)
  self.mount = mount
end

return bus
