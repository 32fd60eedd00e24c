-- One request of the model: its credential resolved, and renewed once when the API refuses it.

local attach = require("panto.app.own_model.attach")
local client = require("panto.provider.client")
local resolve = require("panto.auth.resolve")
local wire_event = require("panto.app.wire_event")

local model_stream = {}

local function error_once(kind, message)
  local item = { type = "error", kind = kind, message = message }
  return function()
    local given = item
    item = nil
    return given
  end
end

local function start(setup, request, refused)
  local choice, config = setup.choice, setup.config
  local name = choice.provider.auth
  local credential, message =
    resolve.credential(config, name, { show_login = setup.show_login, refused = refused })
  if not credential then
    return error_once("auth", message)
  end
  if name and config.auth[name].type == "oauth_device" then
    credential.login = name
  end
  local provider
  provider, message = attach.provider(setup, choice.provider)
  if not provider then
    return error_once("transport", message)
  end
  local items, _, _, closer = client.stream({
    provider = provider,
    model = choice.model,
    credential = credential,
    request = request,
    retry = { max_attempts = config.retry.max_attempts },
    idle_timeout_ms = config.retry.idle_timeout_s * 1000,
    on_request = function(wire)
      wire_event.emit(setup, wire)
    end,
  })
  return items, credential, closer
end

--- Starts one request; a login whose token the API refuses is renewed, and the request repeated.
--- The fourth value closes the connection when a `for` is left early.
---@param setup panto.Setup
---@param request panto.Request
---@return fun(): panto.Item?
---@return nil
---@return nil
---@return table closer
function model_stream.open(setup, request)
  if setup.stream then
    return setup.stream(request)
  end
  local items, credential, closer = start(setup, request)
  local is_open = false
  local guard = setmetatable({}, {
    __close = function()
      local _ <close> = closer
    end,
  })
  return function()
    local item = items()
    if is_open or not item or item.type == "retry" then
      return item
    end
    is_open = true
    if item.type == "error" and item.status == 401 and credential and credential.login then
      items, credential, closer = start(setup, request, credential.token)
      item = items()
    end
    return item
  end,
    nil,
    nil,
    guard
end

return model_stream
