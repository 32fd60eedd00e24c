-- One conversation: its messages, its log, its model; each user text becomes a turn of the agent.

local clock = require("panto.sys.clock")
local env = require("panto.sys.env")
local log = require("panto.session.log")
local model_stream = require("panto.app.model_stream")
local process = require("panto.sys.process")
local tokens = require("panto.agent.tokens")
local turn = require("panto.agent.turn")

---@class panto.Conversation
---@field messages panto.Message[]
---@field log panto.session.Log
---@field totals panto.Totals
local Conversation = {}
Conversation.__index = Conversation

local conversation = {}

-- Returns what kept the first records from being written, if anything did.
local function start_records(self)
  local _, problem = self.log:append("system", { text = self.setup.system })
  if self.setup.choice then
    local _, later = self.log:append("model", { model = self.setup.choice.ref })
    problem = problem or later
  end
  return problem
end

--- Makes a conversation on what boot built; `resumed` is the log of an earlier one.
---@param setup panto.Setup
---@param resumed panto.session.Log?
---@return panto.Conversation
function conversation.new(setup, resumed)
  local self = setmetatable({ setup = setup, totals = tokens.new() }, Conversation)
  if resumed then
    self.log = resumed
    local notes
    self.messages, notes = resumed:messages()
    table.move(notes, 1, #notes, #resumed.notes + 1, resumed.notes)
    self.started = true
    for _, message in ipairs(self.messages) do
      if message.usage and setup.choice then
        self.totals:add(message.usage, setup.choice.model)
      end
    end
  else
    self.log = log.create({
      dir = env.path("sessions"),
      cwd = setup.cwd,
      now_ms = clock.now_ms,
      version = env.version(),
      pid = process.own_pid(),
    })
    self.messages = {}
  end
  return self
end

--- Makes a message durable and part of the conversation.
---@param message panto.Message
function Conversation:append(message)
  local problem
  if not self.started then
    self.started = true
    problem = start_records(self)
  end
  local _, later = self.log:append("message", { message = message })
  problem = problem or later
  if problem and not self.told_of_log then
    self.told_of_log = true
    self.setup.bus:emit("error", { kind = "session", message = problem })
  end
  self.messages[#self.messages + 1] = message
  if message.usage and self.setup.choice then
    self.totals:add(message.usage, self.setup.choice.model)
  end
end

--- Runs one turn for a user's text; call it in a task, cancelling that task ends the turn.
---@param text string
---@param take_steering fun(): string[]
---@return panto.TurnResult
function Conversation:send(text, take_steering)
  local setup = self.setup
  local function emit(name, payload)
    return setup.bus:emit(name, payload)
  end
  local said = emit("user_message", { text = text })
  self:append({ role = "user", content = { { type = "text", text = said.text } } })
  return turn.run({
    messages = self.messages,
    append = function(message)
      self:append(message)
    end,
    stream = function(request)
      return model_stream.open(setup, request)
    end,
    tools = setup.toolset,
    emit = emit,
    system = setup.system,
    take_steering = take_steering,
    cwd = setup.cwd,
    effort = setup.effort,
    max_rounds = setup.max_rounds,
    origin = {
      provider = setup.choice.provider.name,
      model = setup.choice.model.alias,
      style = setup.choice.provider.style,
    },
  })
end

--- Sets the model of the next requests; the session remembers it.
---@param choice { provider: panto.Provider, model: panto.Model }
function Conversation:set_model(choice)
  choice.ref = choice.provider.name .. ":" .. choice.model.alias
  self.setup.choice = choice
  if self.started then
    self.log:append("model", { model = choice.ref })
  end
  self.setup.bus:emit("model_changed", { model = choice.ref })
end

--- Closes the log; returns the session's id when there is anything to resume.
---@return string? id
function Conversation:close()
  self.log:close()
  return self.started and self.log:is_saved() and self.log.id or nil
end

return conversation
