-- The bus of one agent among many: it hears what happens to this agent alone, and the handlers of
-- the extensions hear all of them.

local bus = require("panto.ext.bus")

---@class panto.BusBranch
---@field shared panto.Bus that of the extensions
---@field own panto.Bus
---@field mount panto.Mount?
local BusBranch = {}

-- Who listens at all: the extensions' handlers, whatever a reload makes of them.
function BusBranch.__index(self, key)
  return key == "lists" and rawget(self, "shared").lists or BusBranch[key]
end

local bus_branch = {}

--- Makes a branch of a bus.
---@param shared panto.Bus
---@param mount panto.Mount sees each event when all handlers have
---@return panto.BusBranch
function bus_branch.new(shared, mount)
  return setmetatable({ shared = shared, own = bus.new(shared.report), mount = mount }, BusBranch)
end

--- Adds a handler for this agent's events alone.
---@param name string
---@param handler fun(e: panto.Event)
---@param owner panto.Owner?
---@return fun()
function BusBranch:on(name, handler, owner)
  return self.own:on(name, handler, owner)
end

--- Tells every handler, and a mount.
---@param name string
---@param payload table
---@param _component table?
---@param mount panto.Mount?
---@return table payload
function BusBranch:send(name, payload, _component, mount)
  self.shared:tell(name, payload)
  return (self.own:send(name, payload, nil, mount))
end

--- Tells every handler, and this branch's mount.
---@param name string
---@param payload table?
---@return table payload
function BusBranch:emit(name, payload)
  return self:send(name, payload or {}, nil, self.mount)
end

--- Tells the handlers alone.
---@param name string
---@param payload table
---@return table payload
function BusBranch:tell(name, payload)
  return self:send(name, payload)
end

return bus_branch
