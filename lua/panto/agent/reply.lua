-- Turns the items of one answer into events for whoever looks on, while they are folded.

local reply = {}

---@class panto.Reply
---@field fold panto.MessageFold
---@field emit fun(name: string, payload: table): table
---@field tools panto.Toolset
---@field prefix string start of the ids that are made up for calls without one
---@field index integer of the last block
local Reply = {}
Reply.__index = Reply

local function clear(self)
  self.index = 0
  self.open = nil
  self.calls = {}
  self.ids = {}
end

--- Returns a reader of one answer.
---@param options { fold: panto.MessageFold, emit: function, tools: panto.Toolset, prefix: string }
---@return panto.Reply
function reply.new(options)
  local self = setmetatable({
    fold = options.fold,
    emit = options.emit,
    tools = options.tools,
    prefix = options.prefix,
  }, Reply)
  clear(self)
  return self
end

local function close_block(self)
  local open = self.open
  if open then
    self.open = nil
    local text = table.concat(open.pieces)
    self.emit(open.kind .. "_complete", { index = open.index, text = text })
  end
end

local function add_text(self, kind, delta)
  if delta == "" then
    return
  end
  if not self.open or self.open.kind ~= kind then
    close_block(self)
    self.index = self.index + 1
    self.open = { kind = kind, index = self.index, pieces = {} }
    self.emit(kind, { index = self.index })
  end
  table.insert(self.open.pieces, delta)
  self.emit(kind .. "_delta", { index = self.open.index, delta = delta })
end

local add = {}

function add.text_delta(self, item)
  add_text(self, "assistant_text", item.delta)
end

function add.thinking_delta(self, item)
  add_text(self, "thinking", item.delta)
end

-- Some servers send no id, or one id for every call of a message.
function add.tool_call_start(self, item)
  close_block(self)
  self.index = self.index + 1
  if not item.id or item.id == "" or self.ids[item.id] then
    item.id = ("%s_%d"):format(self.prefix, self.index)
  end
  self.ids[item.id] = true
  local call = {
    index = self.index,
    id = item.id,
    tool_name = self.tools:name_of(item.name),
  }
  self.calls[item.index] = call
  self.emit("tool", { index = call.index, id = call.id, tool_name = call.tool_name })
end

function add.tool_call_delta(self, item)
  local call = self.calls[item.index]
  if call then
    self.emit("tool_delta", {
      index = call.index,
      id = call.id,
      tool_name = call.tool_name,
      delta = item.delta,
    })
  end
end

function add.usage(self, item)
  self.usage = item.usage
end

function add.retry(self, item)
  self.emit("retry", {
    attempt = item.attempt,
    max_attempts = item.max_attempts,
    wait_ms = item.wait_ms,
    message = item.message,
  })
end

function add.restart(self)
  clear(self)
  self.usage = nil
  self.emit("restart", {})
end

--- Takes every item of a stream.
---@param items fun(): panto.Item?
function Reply:read(items)
  for item in items do
    local take = add[item.type]
    if take then
      take(self, item)
    end
    self.fold:add(item)
  end
  self:close()
end

--- Ends the block that is open, when the stream has ended or was cut off.
function Reply:close()
  close_block(self)
  if self.usage then
    self.emit("usage", { usage = self.usage })
    self.usage = nil
  end
end

--- Returns the block index of a call, by its id.
---@param id string
---@return integer
function Reply:index_of(id)
  for _, call in pairs(self.calls) do
    if call.id == id then
      return call.index
    end
  end
  return 0
end

return reply
