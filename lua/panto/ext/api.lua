-- Builds the table panto.ext: what an extension calls, bound to a registry and a bus.

local event_names = require("panto.ext.event_names")
local task = require("panto.sys.task")

local api = {}

---@class panto.ApiOptions
---@field registry panto.Registry
---@field bus panto.Bus
---@field allows (fun(kind: string, name: string): boolean)? policy; kind is "tools"
---@field changed fun()? is called when something is registered after the start

---@class panto.Api
---@field options panto.ApiOptions
---@field ext table what becomes panto.ext
---@field owners table<string, panto.Owner> the living owner of each file
---@field recording (fun())[]? calls of a file that is only being evaluated
local Api = {}
Api.__index = Api

local LEVELS = 30

-- Whose a call is: of the activation that runs or began this task, else of the file that makes it.
local function owner_of(self)
  local current = task.current()
  local owner = current and current.owner
  if owner then
    return owner
  end
  local first
  for level = 3, LEVELS do
    local info = debug.getinfo(level, "S")
    if not info then
      break
    end
    first = first or info.short_src
    owner = self.owners[info.source:sub(2)]
    if owner then
      return owner
    end
  end
  return { entry = "runtime", source = first or "?" }
end

local function add_tool(self, tool, owner)
  local allows = self.options.allows
  local named = type(tool) == "table" and type(tool.name) == "string"
  if named and allows and not allows("tools", tool.name) then
    return true
  end
  return (owner.registry or self.options.registry):add_tool(tool, owner)
end

local function build_register(self, add)
  return function(given)
    local recording = self.recording
    if recording then
      recording[#recording + 1] = function(owner)
        return add(given, owner)
      end
      return
    end
    local owner = owner_of(self)
    if owner.gone then
      return
    end
    local added, message = add(given, owner)
    if not added then
      error(message, 2)
    elseif self.options.changed and not owner.registry then
      self.options.changed()
    end
  end
end

-- While a file is evaluated nothing happens yet; what comes back still unsubscribes later.
local function record_on(recording, subscribe)
  local remove, dropped
  recording[#recording + 1] = function(owner)
    if not dropped then
      remove = subscribe(owner)
    end
    return true
  end
  return function()
    dropped = true
    if remove then
      remove()
    end
  end
end

local function build_on(self)
  return function(name, handler)
    if type(name) ~= "string" then
      error("on: the event's name is a string, not a " .. type(name), 2)
    elseif type(handler) ~= "function" then
      error(("on(%q): the handler is a function, not a %s"):format(name, type(handler)), 2)
    end
    local function subscribe(owner)
      return (owner.bus or self.options.bus):on(name, handler, owner)
    end
    if self.recording then
      return record_on(self.recording, subscribe)
    end
    local owner = owner_of(self)
    return owner.gone and function() end or subscribe(owner)
  end
end

-- The data of a custom event is its `data`, and if it is a table its fields are the event's, too.
local function build_emit(self)
  return function(name, data)
    if type(name) ~= "string" then
      error("emit: the event's name is a string, not a " .. type(name), 2)
    end
    local payload = {}
    for key, value in pairs(type(data) == "table" and data or {}) do
      payload[key] = value
    end
    payload.data = data
    local bus = self.options.bus
    if event_names.is_shown(name) then
      return (bus:emit(name, payload))
    end
    return bus:tell(name, payload)
  end
end

local function build_ext(self)
  local function register(method)
    return build_register(self, function(given, owner)
      local target = owner.registry or self.options.registry
      return target[method](target, given, owner)
    end)
  end
  return {
    register_tool = build_register(self, function(tool, owner)
      return add_tool(self, tool, owner)
    end),
    register_command = register("add_command"),
    register_key = register("add_key"),
    on = build_on(self),
    emit = build_emit(self),
  }
end

--- Returns an api whose `ext` is the table panto.ext.
---@param options panto.ApiOptions
---@return panto.Api
function api.new(options)
  local self = setmetatable({ options = options, owners = {} }, Api)
  self.ext = build_ext(self)
  return self
end

--- Records the calls from now on instead of carrying them out; returns the list that grows.
---@return (fun(owner: panto.Owner): any, string?)[]
function Api:start_recording()
  self.recording = {}
  return self.recording
end

--- Ends the recording.
function Api:stop_recording()
  self.recording = nil
end

--- Removes all that an owner has registered, and ends what runs for it.
---@param owner panto.Owner
function Api:remove(owner)
  (owner.registry or self.options.registry):remove(owner);
  (owner.bus or self.options.bus):remove(owner)
  self:retire(owner)
end

--- Ends an owner: its tasks are cancelled, what it still registers is dropped.
---@param owner panto.Owner
function Api:retire(owner)
  owner.gone = true
  if self.owners[owner.source] == owner then
    self.owners[owner.source] = nil
  end
  for work in pairs(owner.tasks or {}) do
    work.observed = true
    task.cancel(work)
  end
end

return api
