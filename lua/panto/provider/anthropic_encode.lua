-- Turns a request into a messages body whose beginning never changes while the session grows.

local growing = require("panto.provider.growing")
local history = require("panto.provider.anthropic_history")
local json = require("panto.base.json")
local thinking = require("panto.provider.anthropic_thinking")

local encode = {}

local API_VERSION = "2023-06-01"
local MAX_TOKENS = 64000
local CACHE_CONTROL = { type = "ephemeral" }

local function encode_system(text, is_cached)
  if not text or not text:find("%S") then
    return nil
  end
  local block = { type = "text", text = text, cache_control = is_cached and CACHE_CONTROL or nil }
  return json.array({ block })
end

local function encode_schema(schema)
  if type(schema) ~= "table" then
    return { type = "object", properties = {} }
  elseif schema.type then
    return schema
  end
  local typed = { type = "object" }
  for key, value in pairs(schema) do
    typed[key] = value
  end
  return typed
end

local function encode_tools(tools)
  if not tools or #tools == 0 then
    return nil
  end
  local sorted = table.move(tools, 1, #tools, 1, {})
  table.sort(sorted, function(a, b)
    return a.name < b.name
  end)
  local out = json.array({})
  for index, tool in ipairs(sorted) do
    out[index] = {
      name = tool.name,
      description = tool.description,
      input_schema = encode_schema(tool.schema),
    }
  end
  return out
end

-- The messages come last and grow only at their end, so that all before them stays as it was.
-- The one breakpoint that advances is the request's own cache_control: the API puts it on the last
-- block by itself. A mark on that block would have to be taken off again in the next request.
local function encode_body(request, provider, model)
  local messages = history.encode(request, provider)
  local thought = thinking.get(request.effort, model, history.is_begun_without_thinking(messages))
  local is_cached = provider.prompt_cache ~= false
  local fields = {}
  local function add(name, value)
    if value ~= nil then
      fields[#fields + 1] = json.encode(name) .. ":" .. json.encode(value)
    end
  end
  add("model", model.model or model.alias)
  add("max_tokens", model.max_tokens or MAX_TOKENS)
  add("stream", true)
  add("thinking", thought.config)
  add("output_config", thought.effort and { effort = thought.effort })
  add("cache_control", is_cached and CACHE_CONTROL or nil)
  add("tools", growing.tools(request, encode_tools))
  add("system", encode_system(request.system, is_cached))
  fields[#fields + 1] = '"messages":' .. history.text(messages)
  return "{" .. table.concat(fields, ",") .. "}", thought
end

--- Turns a request into path, headers and body.
---@param request panto.Request
---@param provider panto.Provider
---@param model panto.Model
---@return panto.WireRequest
function encode.request(request, provider, model)
  local body, thought = encode_body(request, provider, model)
  return {
    path = "/v1/messages",
    headers = {
      ["content-type"] = "application/json",
      accept = "text/event-stream",
      ["anthropic-version"] = model.api_version or API_VERSION,
      ["anthropic-beta"] = thought.beta,
    },
    body = body,
  }
end

return encode
