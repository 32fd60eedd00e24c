-- Remembers what happens on a bus: each event as its handlers left it, and each request.

local json = require("panto.base.json")

---@class panto.Record
---@field events table[] each with its `name` and its fields
---@field requests table[] what the model was told, decoded
local Record = {}
Record.__index = Record

local record = {}

local function add(self, name, payload)
  local copy = { name = name }
  for key, value in pairs(payload) do
    copy[key] = value
  end
  self.events[#self.events + 1] = copy
end

--- Begins to remember what is emitted on a bus.
---@param bus panto.Bus
---@return panto.Record
function record.new(bus)
  local self = setmetatable({ events = {}, requests = {} }, Record)
  local send = bus.send
  bus.send = function(given, name, payload, ...)
    local made, component, by = send(given, name, payload, ...)
    add(self, name, made)
    return made, component, by
  end
  bus:on("request", function(e)
    self.requests[#self.requests + 1] = json.decode(e.body)
  end, { entry = "panto.testing", source = "panto test" })
  return self
end

--- Returns the events of a name, or all.
---@param name string?
---@return table[]
function Record:list(name)
  local found = {}
  for _, event in ipairs(self.events) do
    if not name or event.name == name then
      found[#found + 1] = event
    end
  end
  return found
end

--- Returns the last result of a tool, with the input of its call; nil when it has none.
---@param tool_name string?
---@return table?
function Record:result(tool_name)
  local found
  for _, event in ipairs(self:list("tool_result")) do
    if not tool_name or event.tool_name == tool_name then
      found = event
    end
  end
  for _, event in ipairs(found and self:list("tool_details") or {}) do
    if event.id == found.id then
      found.input = event.input
    end
  end
  return found
end

return record
