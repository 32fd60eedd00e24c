-- The codec of anthropic_messages: requests into POST /v1/messages, its event stream into items.

local decode = require("panto.provider.anthropic_decode")
local encode = require("panto.provider.anthropic_encode")

local anthropic_messages = {}

--- Turns a request into the path, headers and body of one HTTP request.
---@param request panto.Request
---@param provider panto.Provider
---@param model panto.Model
---@return panto.WireRequest
function anthropic_messages.encode(request, provider, model)
  return encode.request(request, provider, model)
end

--- Returns the headers that carry a credential: a key in its own, a login's token as bearer.
---@param credential panto.Credential?
---@return table<string, string>
function anthropic_messages.headers(credential)
  local token = credential and credential.token
  if not token or token == "" then
    return {}
  elseif credential.scheme == "bearer" then
    return { authorization = "Bearer " .. token }
  end
  return { ["x-api-key"] = token }
end

--- Returns a decoder for one answer.
---@return panto.Decoder
function anthropic_messages.decoder()
  return decode.new()
end

return anthropic_messages
