-- Carries an event to its handlers, in the order in which they were registered.

local event = require("panto.ext.event")
local task = require("panto.sys.task")
local traceback = require("panto.base.traceback")
local wall = require("panto.ext.wall")
local watchdog = require("panto.sys.watchdog")

local bus = {}

-- What happens with every piece of a stream is timed once in so many times, the rest always.
local STREAMED = {
  assistant_text_delta = true,
  thinking_delta = true,
  tool_delta = true,
  tool_progress = true,
}
local SAMPLE = 16

-- An event that decides about a call: a broken handler must not let it pass.
local FAILS_CLOSED = { tool_call_complete = true }

---@class panto.Subscription
---@field handler fun(e: panto.Event)
---@field owner panto.Owner?
---@field broken boolean? it has raised and that was reported
---@field account panto.Account
---@field lists table<string, panto.Subscription[]> where it stands

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
  return setmetatable({ lists = {}, report = report or function() end, told = 0 }, Bus)
end

local function nobody()
  return { calls = 0, errors = 0, seconds = 0 }
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
  local account = owner and owner.account or nobody()
  local lists = self.lists
  local subscription = { handler = handler, owner = owner, account = account, lists = lists }
  local list = { table.unpack(lists[name] or {}) }
  list[#list + 1] = subscription
  lists[name] = list
  return function()
    local now = subscription.lists
    now[name] = without(now[name] or {}, function(other)
      return other ~= subscription
    end)
  end
end

--- Returns an empty bus on which a reload subscribes, until `adopt` makes its handlers this one's.
---@return panto.Bus
function Bus:stage()
  return bus.new(self.report)
end

--- Adds the handlers that some owners have on another bus, in their order.
---@param other panto.Bus
---@param is_kept fun(owner: panto.Owner?): boolean
function Bus:copy(other, is_kept)
  for name, list in pairs(other.lists) do
    local mine = { table.unpack(self.lists[name] or {}) }
    for _, subscription in ipairs(list) do
      if is_kept(subscription.owner) then
        subscription.lists = self.lists
        mine[#mine + 1] = subscription
      end
    end
    self.lists[name] = mine[1] and mine or nil
  end
end

--- Replaces all handlers at once by those of a stage.
---@param stage panto.Bus
function Bus:adopt(stage)
  self.lists = stage.lists
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

local function settle(self, name, payload, subscription, err)
  if FAILS_CLOSED[name] and not payload.denied then
    local owner = subscription.owner and subscription.owner.entry or "panto"
    payload.denied = ("the handler of %s failed: %s"):format(owner, err.message)
  end
  local account = subscription.account
  account.errors = account.errors + 1
  if not subscription.broken then
    subscription.broken = true
    self.report({
      event = name,
      owner = subscription.owner,
      message = err.message,
      traceback = traceback.cut(err.traceback),
    })
  end
end

local function is_timed(self, name)
  if not STREAMED[name] then
    return 1
  end
  self.told = self.told + 1
  return self.told % SAMPLE == 0 and SAMPLE or nil
end

-- Handlers are told one after the other, each behind a wall and with a watch on it.
local function tell(self, list, e, state)
  local payload, weight = state.payload, is_timed(self, state.name)
  local before = weight and os.clock()
  local mine = watchdog.start(tell)
  local xpcall, reset, trace = xpcall, watchdog.reset, wall.trace
  for i = 1, #list do
    local subscription = list[i]
    local account = subscription.account
    account.calls = account.calls + 1
    state.owner = subscription.owner
    reset()
    local ok, err = xpcall(subscription.handler, trace, e)
    if weight then
      local now = os.clock()
      account.seconds, before = account.seconds + weight * (now - before), now
    end
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
---@return panto.Owner? by who set the component
function Bus:emit(name, payload, component)
  return self:send(name, payload or {}, component, self.mount)
end

--- Tells the handlers alone: nothing is shown of the event.
---@param name string
---@param payload table
---@return table payload
function Bus:tell(name, payload)
  return (self:send(name, payload))
end

--- Tells every handler, and a mount that shows what they chose.
---@param name string
---@param payload table
---@param component table?
---@param mount panto.Mount?
---@return table payload
---@return table? component
---@return panto.Owner? by
function Bus:send(name, payload, component, mount)
  local list, by = self.lists[name], nil
  if mount then
    component = mount:open(name, payload) or component
  end
  if list then
    local e, state = event.new(name, payload, component)
    tell(self, list, e, state)
    state.live = false
    component, by = state.component, state.by
  end
  if mount then
    mount:close(name, payload, component, by)
  end
  return payload, component, by
end

---@class panto.Mount
---@field open fun(self, name: string, payload: table): table? the default component of an event
---@field close fun(self, name: string, payload: table, component: table?, by: panto.Owner?) shows it

--- Sets what shows the events; there is one at most.
---@param mount panto.Mount?
function Bus:set_mount(mount)
  self.mount = mount
end

return bus
