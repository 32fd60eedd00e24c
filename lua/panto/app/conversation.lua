-- One conversation: its messages, its log, its model; each user text becomes a turn of the agent.

local clock = require("panto.sys.clock")
local compacting = require("panto.app.compacting")
local env = require("panto.sys.env")
local file_keeper = require("panto.app.file_keeper")
local json = require("panto.base.json")
local log = require("panto.session.log")
local model_stream = require("panto.app.model_stream")
local process = require("panto.sys.process")
local session_model = require("panto.app.session_model")
local settings = require("panto.session.settings")
local short_id = require("panto.session.short_id")
local tokens = require("panto.agent.tokens")
local turn = require("panto.agent.turn")
local undo = require("panto.app.undo")

-- A session of this size is read whole at once; of a larger one only what is needed.
local SMALL_BYTES = 2 * 1024 * 1024

---@class panto.Conversation
---@field messages panto.Message[] read from the log when they are first asked for
---@field log panto.session.Log
---@field totals panto.Totals
---@field kept table what one request leaves to the next
---@field compaction panto.Compaction made with the messages
---@field recorded panto.session.Settings what the log says is in force
local Conversation = {}

local conversation = {}

-- The messages of a long session are decoded for its next request, not for its first screen.
local function load_messages(self)
  local messages, notes = self.log:messages()
  rawset(self, "messages", messages)
  if self.opened then
    for _, note in ipairs(notes) do
      self.setup.bus:emit("notice", { level = "warning", text = note })
    end
  else
    table.move(notes, 1, #notes, #self.log.notes + 1, self.log.notes)
  end
  return messages
end

function Conversation.__index(self, key)
  if key == "messages" then
    return load_messages(self)
  elseif key == "compaction" then
    local keeper = compacting.new(self)
    rawset(self, "compaction", keeper)
    return keeper
  end
  return Conversation[key]
end

-- The prices that hold for a message are those of the model that wrote it.
local function add_message(self, message)
  local setup = self.setup
  local choice, models = setup.choice, setup.config.models[message.provider]
  local model = models and models[message.model]
  if
    choice
    and choice.provider.name == message.provider
    and choice.model.alias == message.model
  then
    model = choice.model
  end
  self.totals:add(message.usage, model, message.aborted)
end

local function add_totals(self)
  local known = self.recorded.totals
  if known then
    self.totals:restore(known)
  elseif rawget(self, "messages") then
    for _, message in ipairs(self.messages) do
      if message.role == "assistant" then
        add_message(self, message)
      end
    end
  end
end

local function take_over(self, resumed)
  self.log = resumed
  self.recorded = settings.read(resumed)
  session_model.restore(self.setup, self.recorded, resumed.notes)
  if resumed:bytes() <= SMALL_BYTES then
    load_messages(self)
  end
  add_totals(self)
  if rawget(self, "messages") then
    self.compaction = compacting.new(self) -- it may know better how full the window is
  end
end

--- Makes a conversation on what boot built; `resumed` is the log of an earlier one.
---@param setup panto.Setup
---@param resumed panto.session.Log?
---@return panto.Conversation
function conversation.new(setup, resumed)
  local self = setmetatable({ setup = setup, totals = tokens.new(), kept = {} }, Conversation)
  if resumed then
    self.started = true
    take_over(self, resumed)
  else
    self.log = log.create({
      dir = env.path("sessions"),
      cwd = setup.cwd,
      now_ms = clock.now_ms,
      version = env.version(),
      pid = process.own_pid(),
    })
    self.messages, self.recorded = {}, {}
  end
  self.opened = true
  self.stop_keeping = file_keeper.start(self)
  return self
end

--- Tells, once, that the log's file cannot be written.
---@param problem string? nothing is told without one
function Conversation:tell_of_log(problem)
  if problem and not self.told_of_log then
    self.told_of_log = true
    self.setup.bus:emit("error", { kind = "session", message = problem })
  end
end

--- Appends a record to the log; a problem with its file is told once.
---@param kind string
---@param fields table
---@return string? id
function Conversation:record(kind, fields)
  local id, problem = self.log:append(kind, fields)
  self:tell_of_log(problem)
  return id
end

-- Returns what is in force; what the log does not know yet becomes a record of its own.
local function record_settings(self)
  local setup, recorded = self.setup, self.recorded
  local using = {
    system = settings.fingerprint(setup.system),
    model = setup.choice and setup.choice.ref,
    effort = setup.effort,
  }
  if recorded.system ~= using.system then
    self:record("system", { text = setup.system })
  end
  if using.model and recorded.model ~= using.model then
    self:record("model", { model = using.model })
  end
  if recorded.effort ~= using.effort then
    self:record("reasoning", { effort = using.effort or json.null })
  end
  self.recorded = using
  return using
end

--- Makes a message durable; it is not yet part of the conversation.
---@param message panto.Message
function Conversation:save(message)
  local fields = { message = message }
  if message.role == "user" then
    self.started = true
    fields.using = record_settings(self)
  end
  if message.role == "assistant" then
    add_message(self, message)
    fields.totals = self.totals:snapshot()
  end
  self:record("message", fields)
end

--- Makes a message durable and part of the conversation.
---@param message panto.Message
function Conversation:append(message)
  local messages = self.messages
  self:save(message)
  messages[#messages + 1] = message
end

-- A mount that learns of an event when its handlers are through, before it is shown.
local function settled_mount(mount, settled)
  return {
    open = function(_, name, payload)
      return mount and mount:open(name, payload)
    end,
    close = function(_, name, payload, ...)
      settled(payload)
      if mount then
        mount:close(name, payload, ...)
      end
    end,
  }
end

--- Runs one turn for a user's text; call it in a task, cancelling that task ends the turn.
---@param text string
---@param take_steering fun(): string[]
---@return panto.TurnResult
function Conversation:send(text, take_steering)
  local setup = self.setup
  local function emit(name, payload, settled)
    local mount = settled and settled_mount(setup.bus.mount, settled) or setup.bus.mount
    return (setup.bus:send(name, payload, nil, mount))
  end
  local said = emit("user_message", { text = text })
  local content = undo.notes(self.log)
  content[#content + 1] = { type = "text", text = said.text }
  self:append({ role = "user", content = content })
  return turn.run({
    messages = self.messages,
    append = function(message)
      self:append(message)
    end,
    save = function(message)
      self:save(message)
    end,
    stream = function(request)
      request.messages, request.kept = self.compaction:view(), self.kept
      return model_stream.open(setup, request)
    end,
    make_room = function(is_refused)
      return self.compaction[is_refused and "recover" or "check"](self.compaction)
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
    self:record("model", { model = choice.ref })
    self.recorded.model = choice.ref
  end
  self.setup.bus:emit("model_changed", { model = choice.ref })
end

--- Sets the effort of the next requests; the session remembers it.
---@param effort string? nil: what the model's own settings say
function Conversation:set_effort(effort)
  self.setup.effort = effort
  if self.started and self.recorded.effort ~= effort then
    self:record("reasoning", { effort = effort or json.null })
    self.recorded.effort = effort
  end
end

--- Makes another record of the log the end of the conversation; nothing is removed.
---@param entry panto.session.Entry? nil: before the first record
function Conversation:go_to(entry)
  self.log:go_to(entry)
  self.recorded = settings.read(self.log)
  rawset(self, "messages", nil)
  rawset(self, "compaction", nil)
end

--- Returns the text of a message of the log, as it was said.
---@param entry panto.session.Entry
---@return string
function Conversation:text_of(entry)
  local found = self.log:get(entry)
  local texts = {}
  for _, part in ipairs(found and found.message.content or {}) do
    texts[#texts + 1] = part.type == "text" and not part.note and part.text or nil
  end
  return table.concat(texts, "\n")
end

--- Closes the log; returns the id to resume it by, cut short, when there is anything to resume.
---@return string? id
function Conversation:close()
  self.stop_keeping()
  self.log:close()
  return self.started and self.log:is_saved() and short_id.of(self.log.path) or nil
end

return conversation
