-- Turns a conversation into messages that alternate: each call answered in the next user message.
-- Blocks are tables, or JSON text where the bytes must stay as they came.

local blocks = require("panto.provider.anthropic_blocks")
local growing = require("panto.provider.growing")
local json = require("panto.base.json")
local origin = require("panto.provider.origin")
local wire_ids = require("panto.provider.wire_ids")

local history = {}

local STYLE = "anthropic_messages"
local LONGEST_ID, NOT_IN_ID = 64, "[^%w_-]"
local OPENING = "(The conversation goes on from here.)"

---@class panto.AnthropicMessage
---@field role "user"|"assistant"
---@field blocks (table|string)[]
---@field text string? JSON text, once no block can follow

---@class panto.AnthropicCall
---@field id string? as it came
---@field wire_id string as it is sent
---@field result table? the tool_result block

---@class panto.AnthropicHistory: panto.HistoryEncoder
---@field provider panto.Provider
---@field messages panto.AnthropicMessage[]
---@field ids panto.WireIds
---@field calls panto.AnthropicCall[] those that the next user message answers, in their order
---@field said table[] what else the next user message says
local AnthropicHistory = {}
AnthropicHistory.__index = AnthropicHistory

local function append(list, more)
  return table.move(more, 1, #more, #list + 1, list)
end

local function add_message(self, role, list)
  local last = self.messages[#self.messages]
  if #list == 0 then
    return
  elseif last and last.role == role then
    append(last.blocks, list)
    return
  elseif not last and role == "assistant" then
    self.messages[1] = { role = "user", blocks = { { type = "text", text = OPENING } } }
  end
  self.messages[#self.messages + 1] = { role = role, blocks = list }
end

-- The API wants the results before anything else.
local function close_user(self)
  local list = {}
  for _, call in ipairs(self.calls) do
    list[#list + 1] = call.result
  end
  append(list, self.said)
  self.calls, self.said = {}, {}
  add_message(self, "user", list)
end

local add = {}

function add.user(self, message)
  append(self.said, blocks.said(message.content))
end

function add.tool(self, message)
  for _, call in ipairs(self.calls) do
    if call.id == message.tool_call_id and not call.result then
      call.result = blocks.result(call.wire_id, message.content, message.is_error)
      return
    end
  end
end

function add.assistant(self, message)
  close_user(self)
  local is_own = origin.is_own(message, STYLE, self.provider)
  self.ids.keeps_long = is_own and message.style == STYLE
  local list, calls = blocks.answered(message.content, is_own, self.ids)
  self.calls = calls
  add_message(self, "assistant", list)
end

-- An answer to be continued must not end with blanks.
local function trim_end(messages)
  local last = messages[#messages]
  local list = last and last.role == "assistant" and last.blocks
  local block = list and list[#list]
  if type(block) == "table" and block.type == "text" then
    local text = block.text:match("^(.-)%s*$")
    list[#list] = { type = "text", text = text, citations = block.citations }
  end
end

function AnthropicHistory:add(message)
  add[message.role](self, message)
end

-- What was trimmed is no beginning of a longer history.
function AnthropicHistory:close()
  close_user(self)
  trim_end(self.messages)
  local last = self.messages[#self.messages]
  return not last or last.role == "user"
end

--- Turns the messages of a request into those of the API; the same ones always alike.
---@param request panto.Request
---@param provider panto.Provider
---@return panto.AnthropicMessage[]
function history.encode(request, provider)
  local made = growing.encode(request, { STYLE, provider }, function()
    local ids = wire_ids.new(LONGEST_ID, NOT_IN_ID)
    local fields = { provider = provider, messages = {}, ids = ids, calls = {}, said = {} }
    return setmetatable(fields, AnthropicHistory)
  end)
  return made.messages
end

--- Tells whether the answer that is asked for goes on after calls that were made without thinking:
--- the API refuses to think within a budget then.
---@param messages panto.AnthropicMessage[]
---@return boolean
function history.is_begun_without_thinking(messages)
  local index, is_open = #messages, false
  while index > 1 and messages[index].role == "user" do
    if messages[index].blocks[1].type ~= "tool_result" then
      break
    end
    is_open = true
    local first = messages[index - 1].blocks[1]
    if blocks.is_thinking(first) then
      return false
    end
    index = index - 2
  end
  return is_open
end

local function message_text(message)
  local list = {}
  for place, block in ipairs(message.blocks) do
    list[place] = type(block) == "string" and block or json.encode(block)
  end
  return ('{"role":"%s","content":[%s]}'):format(message.role, table.concat(list, ","))
end

--- Writes messages as JSON text.
---@param messages panto.AnthropicMessage[]
---@return string
function history.text(messages)
  local out = {}
  for index, message in ipairs(messages) do
    out[index] = message.text or message_text(message)
    message.text = index < #messages and out[index] or nil
  end
  return "[" .. table.concat(out, ",") .. "]"
end

return history
