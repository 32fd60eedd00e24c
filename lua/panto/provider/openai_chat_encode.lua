-- Turns a request into a chat completions body; the same history always gives the same bytes.

local call_arguments = require("panto.provider.call_arguments")
local growing = require("panto.provider.growing")
local json = require("panto.base.json")
local json_value = require("panto.base.json_value")
local openai_parts = require("panto.provider.openai_parts")
local origin = require("panto.provider.origin")
local wire_ids = require("panto.provider.wire_ids")

local encode = {}

local STYLE = "openai_chat"
-- Fields of an assistant message that a server which sent them wants back as it sent them.
local REASONING_FIELDS = { reasoning_content = true, reasoning = true }

---@class panto.WireRequest
---@field path string appended to the provider's base_url
---@field headers table<string, string>
---@field body string

local function image_part(part)
  return { type = "image_url", image_url = { url = openai_parts.data_url(part) } }
end

-- One string when there is nothing but text: many servers know no other form.
local function encode_user(message)
  local texts, parts, has_image = {}, json.array({}), false
  for _, part in ipairs(message.content) do
    if part.type == "text" and part.text ~= "" then
      texts[#texts + 1] = part.text
      parts[#parts + 1] = { type = "text", text = part.text }
    elseif part.type == "image" then
      has_image = true
      parts[#parts + 1] = image_part(part)
    end
  end
  return { role = "user", content = has_image and parts or table.concat(texts, "\n") }
end

local function encode_call(part, ids)
  return {
    type = "function",
    id = ids:open(part.id),
    ["function"] = { name = openai_parts.name(part.name), arguments = call_arguments.encode(part) },
  }
end

local function collect_reasoning(message)
  local fields, details = {}, nil
  for _, part in ipairs(message.content) do
    if part.type == "thinking" and part.field then
      fields[part.field] = (fields[part.field] or "") .. (part.text or "")
    elseif part.type == "opaque" and part.style == STYLE and type(part.value) == "table" then
      details = part.value.reasoning_details or details
    end
  end
  return fields, details
end

local function add_reasoning(out, message)
  local fields, details = collect_reasoning(message)
  if details then
    out.reasoning_details = json.array(details)
    return
  end
  for name, text in pairs(fields) do
    if REASONING_FIELDS[name] and text ~= "" then
      out[name] = text
    end
  end
  local inline = fields.content
  if inline and inline ~= "" then
    local content = json.array({
      { type = "thinking", thinking = json.array({ { type = "text", text = inline } }) },
    })
    if type(out.content) == "string" then
      content[2] = { type = "text", text = out.content }
    end
    out.content = content
  end
end

-- nil when nothing is left that this API can take: an empty assistant message is an error there.
local function encode_assistant(message, provider, ids)
  local texts, calls = {}, json.array({})
  for _, part in ipairs(message.content) do
    if part.type == "text" then
      texts[#texts + 1] = part.text
    elseif part.type == "tool_call" then
      calls[#calls + 1] = encode_call(part, ids)
    end
  end
  local text = table.concat(texts)
  if text == "" and #calls == 0 then
    return nil
  end
  local out = { role = "assistant", content = text ~= "" and text or json.null }
  if #calls > 0 then
    out.tool_calls = calls
  end
  -- Reasoning goes back only to the provider it came from, in the field it came in.
  if origin.is_own(message, STYLE, provider) then
    add_reasoning(out, message)
  end
  return out
end

-- A tool message holds only text; its images follow the last result in a user message of their own.
local function encode_tool(message, ids, images)
  local texts = {}
  local label = ("[image from %s]"):format(message.tool_name or "the tool")
  for _, part in ipairs(message.content) do
    if part.type == "text" and part.text ~= "" then
      texts[#texts + 1] = part.text
    elseif part.type == "image" then
      texts[#texts + 1] = label
      images[#images + 1] = { type = "text", text = label }
      images[#images + 1] = image_part(part)
    end
  end
  local text = #texts > 0 and table.concat(texts, "\n") or openai_parts.NO_OUTPUT
  return { role = "tool", tool_call_id = ids:get(message.tool_call_id), content = text }
end

---@class panto.ChatHistory: panto.HistoryEncoder
---@field out string[] the messages as JSON text
---@field images table[] of the last results
---@field ids panto.WireIds
---@field provider panto.Provider
local ChatHistory = {}
ChatHistory.__index = ChatHistory

local function push(self, message)
  self.out[#self.out + 1] = message and json.encode(message)
end

function ChatHistory:close()
  if #self.images > 0 then
    push(self, { role = "user", content = self.images })
    self.images = json.array({})
  end
end

function ChatHistory:add(message)
  if message.role == "tool" then
    return push(self, encode_tool(message, self.ids, self.images))
  end
  self:close()
  if message.role == "assistant" then
    self.ids.keeps_long = origin.is_own(message, STYLE, self.provider)
    push(self, encode_assistant(message, self.provider, self.ids))
  else
    push(self, encode_user(message))
  end
end

local function encode_messages(request, provider)
  local history = growing.encode(request, { STYLE, provider }, function()
    local fields =
      { out = {}, images = json.array({}), ids = wire_ids.new(40), provider = provider }
    return setmetatable(fields, ChatHistory)
  end)
  local texts = { table.concat(history.out, ",") }
  if request.system and request.system ~= "" then
    local system = json.encode({ role = "system", content = request.system })
    table.insert(texts, 1, system)
  end
  if #history.out == 0 then
    texts[#texts] = nil
  end
  return json_value.raw("[" .. table.concat(texts, ",") .. "]")
end

local function encode_tools(tools)
  if not tools or #tools == 0 then
    return nil
  end
  local out = json.array({})
  for index, tool in ipairs(openai_parts.sorted_tools(tools)) do
    out[index] = {
      type = "function",
      ["function"] = {
        name = tool.name,
        description = tool.description,
        parameters = tool.schema or { type = "object", properties = {} },
      },
    }
  end
  return out
end

-- OpenAI's own reasoning models refuse max_tokens; most other servers know only that name.
local function limit_field(provider)
  local host = (provider.base_url or ""):match("^%a+://([^/:]+)")
  return host == "api.openai.com" and "max_completion_tokens" or "max_tokens"
end

--- Turns a request into path, headers and body.
---@param request panto.Request
---@param provider panto.Provider
---@param model panto.Model
---@return panto.WireRequest
function encode.request(request, provider, model)
  local body = {
    model = model.model or model.alias,
    messages = encode_messages(request, provider),
    tools = growing.tools(request, encode_tools),
    stream = true,
    stream_options = { include_usage = true },
    reasoning_effort = openai_parts.effort(request, model),
  }
  body[limit_field(provider)] = model.max_tokens
  return {
    path = "/chat/completions",
    headers = { ["content-type"] = "application/json", accept = "text/event-stream" },
    body = json.encode(body),
  }
end

return encode
