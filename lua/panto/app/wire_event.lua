-- A request that is about to be sent into the event "request", and back with what handlers changed.

local wire_event = {}

local function headers_of(given)
  local headers = {}
  for name, value in pairs(given) do
    local kind = type(value)
    if type(name) ~= "string" or kind ~= "string" and kind ~= "number" then
      return nil, ("headers[%s] is a %s, not a text"):format(tostring(name), kind)
    end
    headers[name:lower()] = tostring(value)
  end
  return headers
end

--- Tells the handlers of a request; they may change its headers and its body.
---@param setup panto.Setup
---@param wire panto.SentRequest
function wire_event.emit(setup, wire)
  local bus, choice = setup.bus, setup.choice
  if not bus.lists.request then
    return
  end
  local copy = {}
  for name, value in pairs(wire.headers) do
    copy[name] = value
  end
  local payload = bus:tell("request", {
    provider = choice.provider.name,
    model = choice.ref,
    url = wire.url,
    headers = copy,
    body = wire.body,
  })
  local headers, message = headers_of(payload.headers)
  if not headers then
    local text = "the request goes out with its own headers: " .. message
    bus:emit("notice", { level = "error", text = text })
  end
  wire.headers, wire.body = headers or wire.headers, payload.body
end

return wire_event
