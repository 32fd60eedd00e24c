-- The style "script": a model that is no AI, but a Lua or JSON file that is played step by step.
-- The provider's base_url is the file; what it says passes through the same client as a server's.

local errors = require("panto.provider.errors")
local json = require("panto.base.json")
local script_play = require("panto.provider.script_play")

local script = {}

---@class panto.ScriptDecoder: panto.Decoder
---@field done boolean
local Decoder = {}
Decoder.__index = Decoder

--- Turns an event into the item that it holds.
---@param event panto.sse.Event
---@return panto.Item[]
function Decoder:feed(event)
  local item = json.decode(event.data)
  if type(item) ~= "table" then
    return {}
  end
  self.failed = self.failed or item.type == "error"
  self.done = self.done or item.type == "stop" or self.failed
  return { item }
end

--- Returns what a script that ended without a stop comes to.
---@return panto.Item[]
function Decoder:finish()
  if self.done then
    return {}
  end
  return { { type = "error", kind = "cut", message = "the script broke off" } }
end

--- Turns a text that is no event stream into an error.
---@param text string
---@return panto.Item[]
function Decoder:whole(text)
  local err = errors.parse_text(text)
  return { { type = "error", kind = err.kind, message = err.message } }
end

--- Turns a request into what stands for an HTTP request: the script's own address, and what a model
--- would be told as JSON.
---@param request panto.Request
---@return panto.WireRequest
function script.encode(request)
  local told = { system = request.system, messages = request.messages, tools = request.tools }
  return { path = "", headers = {}, body = json.encode(told) }
end

--- Returns no headers: a script asks for no credential.
---@return table<string, string>
function script.headers()
  return {}
end

--- Returns a decoder for one answer.
---@return panto.Decoder
function script.decoder()
  return setmetatable({ done = false, failed = false }, Decoder)
end

--- Returns what stands for HTTP: it plays the script's step that this request has come to.
---@param provider panto.Provider
---@param request panto.Request
---@return { request: fun(): panto.HttpResponse? }
function script.transport(provider, request)
  return script_play.new(provider.base_url, request, provider.steps)
end

return script
