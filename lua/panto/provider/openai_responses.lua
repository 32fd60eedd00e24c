-- The codec of openai_responses: requests into POST /responses, its event stream into items.

local decode = require("panto.provider.openai_responses_decode")
local encode = require("panto.provider.openai_responses_encode")
local parts = require("panto.provider.openai_parts")

local openai_responses = {}

--- Turns a request into the path, headers and body of one HTTP request.
---@param request panto.Request
---@param provider panto.Provider
---@param model panto.Model
---@return panto.WireRequest
function openai_responses.encode(request, provider, model)
  return encode.request(request, provider, model)
end

--- Returns the headers that carry a credential.
---@param credential panto.Credential?
---@return table<string, string>
function openai_responses.headers(credential)
  return parts.headers(credential)
end

--- Returns a decoder for one answer.
---@return panto.Decoder
function openai_responses.decoder()
  return decode.new()
end

return openai_responses
