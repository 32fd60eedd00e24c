-- Turns a request into a responses body; the same history always gives the same bytes.

local call_arguments = require("panto.provider.call_arguments")
local fields = require("panto.provider.fields")
local growing = require("panto.provider.growing")
local json = require("panto.base.json")
local json_value = require("panto.base.json_value")
local openai_parts = require("panto.provider.openai_parts")
local origin = require("panto.provider.origin")
local wire_ids = require("panto.provider.wire_ids")

local encode = {}

local STYLE = "openai_responses"
local PHASES = { commentary = true, final_answer = true }
-- OpenAI's models that cannot reason refuse a request that mentions reasoning.
local PLAIN_MODELS = { "^gpt%-[34]", "^chatgpt%-", "^gpt%-[%d.]+%-chat" }

local function text_input(text)
  return { type = "input_text", text = text }
end

local function image_input(part)
  return { type = "input_image", image_url = openai_parts.data_url(part), detail = "auto" }
end

local function input_parts(content)
  local out, has_image = json.array({}), false
  for _, part in ipairs(content) do
    if part.type == "text" and part.text ~= "" then
      out[#out + 1] = text_input(part.text)
    elseif part.type == "image" then
      has_image = true
      out[#out + 1] = image_input(part)
    end
  end
  return out, has_image
end

local function push(out, item)
  out[#out + 1] = json.encode(item)
end

local function add_user(out, message)
  local content = input_parts(message.content)
  if #content == 0 then
    content[1] = text_input("")
  end
  push(out, { type = "message", role = "user", content = content })
end

-- Several servers want an id; a made-up one is the same each time because the history only grows.
local function add_text(out, text, phase)
  if text ~= "" then
    push(out, {
      type = "message",
      role = "assistant",
      id = "msg_" .. #out,
      status = "completed",
      phase = PHASES[phase] and phase or nil,
      content = json.array({
        { type = "output_text", text = text, annotations = json.array({}) },
      }),
    })
  end
end

-- Without its sealed or open content a reasoning item is only a name of what no server has kept.
local function is_replayable(value)
  if value.type ~= "reasoning" then
    return fields.text(value.type) ~= nil
  end
  return fields.text(value.encrypted_content) ~= nil or #(fields.object(value.content) or {}) > 0
end

-- Reasoning is refused without the item that came after it: it waits for that one.
local function take_waiting(self)
  local waiting = self.waiting
  self.waiting = {}
  for _, item in ipairs(waiting) do
    push(self.out, item)
  end
end

local function flush_text(self)
  local texts = self.texts
  self.texts = {}
  if #texts > 0 then
    take_waiting(self)
    add_text(self.out, table.concat(texts), self.is_own and self.phase or nil)
  end
end

local add_part = {}

function add_part.text(self, part)
  if part.text == "" then
    return
  end
  if self.phase ~= part.field then
    flush_text(self)
  end
  self.phase = part.field
  table.insert(self.texts, part.text)
end

function add_part.tool_call(self, part)
  flush_text(self)
  take_waiting(self)
  push(self.out, {
    type = "function_call",
    call_id = self.ids:open(part.id),
    name = openai_parts.name(part.name),
    arguments = call_arguments.encode(part),
  })
end

function add_part.opaque(self, part)
  local value = fields.object(part.value)
  if not self.has_own_items or part.style ~= STYLE or not value or not is_replayable(value) then
    return
  end
  flush_text(self)
  if value.type == "reasoning" then
    table.insert(self.waiting, value)
  else
    take_waiting(self)
    push(self.out, value)
  end
end

local function is_same_model(message, model)
  local name = message.model
  return name == nil or name == model.model or name == model.alias
end

-- Sealed items go back only to the provider and model they came from, and only when all came.
local function add_assistant(out, message, context)
  local is_own = origin.is_own(message, STYLE, context.provider)
  context.ids.keeps_long = is_own
  local self = {
    out = out,
    ids = context.ids,
    is_own = is_own,
    has_own_items = is_own and not message.aborted and is_same_model(message, context.model),
    waiting = {},
    texts = {},
  }
  for _, part in ipairs(message.content) do
    local add = add_part[part.type]
    if add then
      add(self, part)
    end
  end
  flush_text(self)
end

local function add_result(out, message, context)
  local content, has_image = input_parts(message.content)
  if not has_image then
    local texts = {}
    for index, part in ipairs(content) do
      texts[index] = part.text
    end
    content = #texts > 0 and table.concat(texts, "\n") or openai_parts.NO_OUTPUT
  end
  push(out, {
    type = "function_call_output",
    call_id = context.ids:get(message.tool_call_id),
    output = content,
  })
end

local ADD = { user = add_user, assistant = add_assistant, tool = add_result }

---@class panto.ResponsesHistory: panto.HistoryEncoder
---@field out string[] the items as JSON text
---@field context { provider: panto.Provider, model: panto.Model, ids: panto.WireIds }
local ResponsesHistory = {}
ResponsesHistory.__index = ResponsesHistory

function ResponsesHistory:add(message)
  ADD[message.role](self.out, message, self.context)
end

function ResponsesHistory.close() end

local function encode_input(request, provider, model)
  local key = { STYLE, provider, model.model or "", model.alias or "" }
  local history = growing.encode(request, key, function()
    local context = { provider = provider, model = model, ids = wire_ids.new(64) }
    return setmetatable({ out = {}, context = context }, ResponsesHistory)
  end)
  return json_value.raw("[" .. table.concat(history.out, ",") .. "]")
end

local function encode_tools(tools)
  local out = json.array({})
  for index, tool in ipairs(openai_parts.sorted_tools(tools)) do
    out[index] = {
      type = "function",
      name = tool.name,
      description = tool.description,
      parameters = tool.schema or { type = "object", properties = {} },
      strict = false,
    }
  end
  return #out > 0 and out or nil
end

local function can_reason(model)
  local name = (model.model or model.alias or ""):match("[^/]*$")
  for _, pattern in ipairs(PLAIN_MODELS) do
    if name:find(pattern) then
      return false
    end
  end
  return true
end

local function add_reasoning(body, request, model)
  if not can_reason(model) then
    return
  end
  local effort = openai_parts.effort(request, model)
  body.include = json.array({ "reasoning.encrypted_content" })
  body.reasoning = { effort = effort, summary = effort ~= "none" and "auto" or nil }
end

-- The service behind a ChatGPT login knows no limit and answers 400 to one.
local function limit_of(provider, model)
  local host = (provider.base_url or ""):match("^%a+://([^/:]+)")
  return host ~= "chatgpt.com" and model.max_tokens or nil
end

--- Turns a request into path, headers and body.
---@param request panto.Request
---@param provider panto.Provider
---@param model panto.Model
---@return panto.WireRequest
function encode.request(request, provider, model)
  local body = {
    model = model.model or model.alias,
    instructions = request.system ~= "" and request.system or nil,
    input = encode_input(request, provider, model),
    tools = growing.tools(request, encode_tools),
    max_output_tokens = limit_of(provider, model),
    store = false,
    stream = true,
  }
  add_reasoning(body, request, model)
  return {
    path = "/responses",
    headers = { ["content-type"] = "application/json", accept = "text/event-stream" },
    body = json.encode(body),
  }
end

return encode
