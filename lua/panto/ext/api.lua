-- Builds the table panto.ext: what an extension calls, bound to a registry and a bus.

local api = {}

---@class panto.ApiOptions
---@field registry panto.Registry
---@field bus panto.Bus
---@field allows (fun(kind: string, name: string): boolean)? policy; kind is "tools"

---@class panto.Api
---@field ext table what becomes panto.ext
---@field owner panto.Owner? whose activation runs
---@field recording (fun())[]? calls of a file that is only being evaluated
local Api = {}
Api.__index = Api

-- A call outside of any activation (from a handler, say) is owned by the file that makes it.
local function caller()
  local info = debug.getinfo(3, "S")
  return { entry = "runtime", source = info and info.short_src or "?" }
end

local function add_tool(self, tool, owner)
  local allows = self.options.allows
  local named = type(tool) == "table" and type(tool.name) == "string"
  if named and allows and not allows("tools", tool.name) then
    return true
  end
  return self.options.registry:add_tool(tool, owner)
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
    local added, message = add(given, self.owner or caller())
    if not added then
      error(message, 2)
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
      return self.options.bus:on(name, handler, owner)
    end
    if self.recording then
      return record_on(self.recording, subscribe)
    end
    return subscribe(self.owner or caller())
  end
end

local function build_ext(self)
  local options = self.options
  return {
    register_tool = build_register(self, function(tool, owner)
      return add_tool(self, tool, owner)
    end),
    register_command = build_register(self, function(command, owner)
      return options.registry:add_command(command, owner)
    end),
    on = build_on(self),
    emit = function(name, payload)
      if type(name) ~= "string" then
        error("emit: the event's name is a string, not a " .. type(name), 2)
      end
      return options.bus:emit(name, payload)
    end,
  }
end

--- Returns an api whose `ext` is the table panto.ext.
---@param options panto.ApiOptions
---@return panto.Api
function api.new(options)
  local self = setmetatable({ options = options }, Api)
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

--- Sets whose registrations the following calls are; nil for nobody's.
---@param owner panto.Owner?
function Api:set_owner(owner)
  self.owner = owner
end

--- Removes all that an owner has registered.
---@param owner panto.Owner
function Api:remove(owner)
  self.options.registry:remove(owner)
  self.options.bus:remove(owner)
end

return api
