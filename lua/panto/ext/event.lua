-- What a handler gets: the event's fields to read, the few it may write, the component to change.
-- It is valid only while its handlers run.

local event = {}

local STATE = {}

-- The fields that may be written, by the type they must have; all others are only read.
local WRITABLE = {
  user_message = { text = "string" },
  tool_call_complete = { input = "table" },
  tool_result = { output = "string" },
  request = { headers = "table", body = "string" },
}

---@class panto.EventState
---@field name string
---@field payload table
---@field component table? what will be mounted
---@field owner panto.Owner? whose handler runs
---@field by panto.Owner? who set the component
---@field live boolean

local function state_of(self, level)
  local state = rawget(self, STATE)
  if not state.live then
    local text = "the event %s is over: keep what you need of it in a local variable"
    error(text:format(state.name), level + 1)
  end
  return state
end

local methods = {}

function methods.get_component(self)
  return state_of(self, 2).component
end

function methods.set_component(self, component)
  local state = state_of(self, 2)
  if type(component) ~= "table" or type(component.render) ~= "function" then
    error("set_component wants a table with a render function", 2)
  end
  state.component, state.by = component, state.owner
end

local deny = {}

function deny.deny(self, reason)
  state_of(self, 2).payload.denied = tostring(reason or "denied by an extension")
end

methods.getComponent, methods.setComponent = methods.get_component, methods.set_component

---@class panto.Event
local Event = {}

function Event.__index(self, key)
  local state = state_of(self, 2)
  local value = methods[key] or state.name == "tool_call_complete" and deny[key] or nil
  if value then
    return value
  elseif key == "name" then
    return state.name
  end
  value = state.payload[key]
  if value ~= "" then -- an empty field reads as none
    return value
  end
end

function Event.__newindex(self, key, value)
  local state = state_of(self, 2)
  local writable = WRITABLE[state.name]
  local wanted = writable and writable[key]
  if not wanted then
    error(("%s.%s can only be read"):format(state.name, tostring(key)), 2)
  elseif type(value) ~= wanted then
    error(("%s.%s wants a %s, got a %s"):format(state.name, key, wanted, type(value)), 2)
  end
  state.payload[key] = value
end

function Event.__pairs(self)
  return pairs(state_of(self, 2).payload)
end

--- Makes the event of one emit; `state.live = false` ends it.
---@param name string
---@param payload table
---@param component table?
---@return panto.Event
---@return panto.EventState
function event.new(name, payload, component)
  local state = { name = name, payload = payload, component = component, live = true }
  return setmetatable({ [STATE] = state }, Event), state
end

return event
