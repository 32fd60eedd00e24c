-- The codec of openai_chat: requests into POST /chat/completions, its event stream into items.

local decode = require("panto.provider.openai_chat_decode")
local encode = require("panto.provider.openai_chat_encode")
local openai_parts = require("panto.provider.openai_parts")

local openai_chat = {}

--- Turns a request into the path, headers and body of one HTTP request.
---@param request panto.Request
---@param provider panto.Provider
---@param model panto.Model
---@return panto.WireRequest
function openai_chat.encode(request, provider, model)
  return encode.request(request, provider, model)
end

--- Returns the headers that carry a credential.
---@param credential panto.Credential?
---@return table<string, string>
function openai_chat.headers(credential)
  return openai_parts.headers(credential)
end

--- Returns a decoder for one answer.
---@return panto.Decoder
function openai_chat.decoder()
  return decode.new()
end

return openai_chat
