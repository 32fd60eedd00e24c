-- Turns a conversation into messages that alternate: each call answered in the next user message.
-- Blocks are tables, or JSON text where the bytes must stay as they came.

local blocks = require("panto.provider.anthropic_blocks")
local ids = require("panto.provider.anthropic_ids")
local json = require("panto.base.json")
local origin = require("panto.provider.origin")

local history = {}

local STYLE = "anthropic_messages"
local LOST_RESULT = "(the result of this call was lost)"
local OPENING = "(The conversation goes on from here.)"

---@class panto.AnthropicMessage
---@field role "user"|"assistant"
---@field blocks (table|string)[]

---@class panto.AnthropicHistory
---@field messages panto.AnthropicMessage[]
---@field ids panto.AnthropicIds
---@field open string[] ids of the calls that the next user message answers, in call order
---@field results table<string, table> id → tool_result block
---@field said table[] what else the next user message says

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

-- The API wants every result, and before anything else.
local function close_user(self)
  local list = {}
  for _, id in ipairs(self.open) do
    list[#list + 1] = self.results[id] or blocks.result(id, {}, true, LOST_RESULT)
  end
  append(list, self.said)
  self.open, self.results, self.said = {}, {}, {}
  add_message(self, "user", list)
end

local add = {}

function add.user(self, message)
  append(self.said, blocks.said(message.content))
end

-- A result whose call is gone is told as what was said.
function add.tool(self, message)
  local id = self.ids:result(message.tool_call_id)
  for _, open in ipairs(self.open) do
    if open == id and not self.results[id] then
      self.results[id] = blocks.result(id, message.content, message.is_error)
      return
    end
  end
  append(self.said, blocks.said(message.content))
end

function add.assistant(self, message, provider)
  close_user(self)
  local is_own = origin.is_own(message, STYLE, provider)
  self.ids:set_own(is_own and message.style == STYLE)
  add_message(self, "assistant", blocks.answered(message.content, is_own, self.ids, self.open))
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

--- Turns the messages of a request into those of the API; the same ones always alike.
---@param messages panto.Message[]
---@param provider panto.Provider
---@return panto.AnthropicMessage[]
function history.encode(messages, provider)
  local self = { messages = {}, ids = ids.new(), open = {}, results = {}, said = {} }
  for _, message in ipairs(messages) do
    add[message.role](self, message, provider)
  end
  close_user(self)
  trim_end(self.messages)
  return self.messages
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

--- Writes messages as JSON text.
---@param messages panto.AnthropicMessage[]
---@return string
function history.text(messages)
  local out = {}
  for index, message in ipairs(messages) do
    local list = {}
    for place, block in ipairs(message.blocks) do
      list[place] = type(block) == "string" and block or json.encode(block)
    end
    local content = table.concat(list, ",")
    out[index] = ('{"role":"%s","content":[%s]}'):format(message.role, content)
  end
  return "[" .. table.concat(out, ",") .. "]"
end

return history
