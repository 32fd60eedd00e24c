-- Turns a history into one in which every call is answered right after it, and nothing else is.

local call_pairs = {}

local LOST_RESULT = "(the result of this call was lost)"

---@class panto.CallPairs
---@field out panto.Message[] those that were not taken yet
---@field open panto.ToolCallPart[] calls without a result so far, in order
---@field held panto.Message[] what the user said among the results
local CallPairs = {}
CallPairs.__index = CallPairs

local function release(self)
  local held = self.held
  self.held = {}
  table.move(held, 1, #held, #self.out + 1, self.out)
end

--- Gives each call that is still open a result.
function CallPairs:close()
  for _, call in ipairs(self.open) do
    self.out[#self.out + 1] = {
      role = "tool",
      tool_call_id = call.id,
      tool_name = call.name,
      is_error = true,
      content = { { type = "text", text = LOST_RESULT } },
    }
  end
  self.open = {}
  release(self)
end

local function add_result(self, message)
  for index, call in ipairs(self.open) do
    if call.id == message.tool_call_id then
      table.remove(self.open, index)
      self.out[#self.out + 1] = message
      if #self.open == 0 then
        release(self)
      end
      return
    end
  end
  table.insert(self.held, { role = "user", content = message.content })
end

local function add_assistant(self, message)
  self:close()
  self.out[#self.out + 1] = message
  for _, part in ipairs(message.content) do
    if part.type == "tool_call" then
      table.insert(self.open, part)
    end
  end
end

--- Takes the next message.
---@param message panto.Message
function CallPairs:add(message)
  if message.role == "tool" then
    add_result(self, message)
  elseif message.role == "assistant" then
    add_assistant(self, message)
  else
    table.insert(self.held, message)
  end
  if #self.open == 0 then
    release(self)
  end
end

--- Tells whether `close` would change nothing.
---@return boolean
function CallPairs:is_settled()
  return #self.open == 0 and #self.held == 0
end

--- Returns the messages that were not taken yet.
---@return panto.Message[]
function CallPairs:take()
  local out = self.out
  self.out = {}
  return out
end

--- Begins a history with a result for each call, the user's words after the results, and results
--- whose call is gone as the user's words: the APIs refuse a history that is otherwise.
---@return panto.CallPairs
function call_pairs.new()
  return setmetatable({ out = {}, open = {}, held = {} }, CallPairs)
end

return call_pairs
