-- Runs one turn of the agent: asks the model, runs its calls, asks again, until it calls nothing.

local calls = require("panto.agent.calls")
local json = require("panto.base.json")
local loop_guard = require("panto.agent.loop_guard")
local message = require("panto.agent.message")
local reply = require("panto.agent.reply")
local stop_notices = require("panto.agent.stop_notices")
local task = require("panto.sys.task")

local turn = {}

---@class panto.TurnOptions
---@field messages panto.Message[] the conversation so far; the turn's messages are added to it
---@field append fun(message: panto.Message) makes a message durable
---@field stream fun(request: panto.Request): fun(): panto.Item?
---@field tools panto.Toolset
---@field save (fun(message: panto.ToolMessage))? makes a result durable as soon as it is there;
--- without it `append` does, in call order
---@field emit fun(name: string, payload: table, settled: (fun(payload: table))?): table calls
--- `settled` when the handlers have been told, before anything is shown
---@field system string
---@field cwd string
---@field take_steering (fun(): string[])? what the user typed meanwhile
---@field make_room (fun(is_refused: boolean): true?, string?)? called before each request, and after
--- one that was refused as too long; a message ends the turn
---@field effort string?
---@field max_rounds integer? how often the model may be asked
---@field origin panto.MessageOrigin?

---@class panto.TurnResult
---@field status "done"|"aborted"|"error"
---@field text string the last message's text
---@field usage panto.Usage all requests together
---@field error { kind: string, message: string, traceback: string? }?

---@class panto.Turn
---@field options panto.TurnOptions
---@field usage panto.Usage
---@field text string
local Turn = {}
Turn.__index = Turn

local LOOP_MESSAGE = "The model made the same call with the same result 8 times; "
  .. "the turn was stopped."

function Turn:_append(made)
  local messages = self.options.messages
  self.options.append(made)
  if messages[#messages] ~= made then
    messages[#messages + 1] = made
  end
end

function Turn:_add_usage(usage)
  for kind, count in pairs(usage or {}) do
    if type(count) == "number" then
      self.usage[kind] = (self.usage[kind] or 0) + count
    end
  end
end

local function text_of(made)
  local texts = {}
  for _, part in ipairs(made.content) do
    if part.type == "text" then
      texts[#texts + 1] = part.text
    end
  end
  return table.concat(texts)
end

function Turn:_keep_answer(made)
  self.fold, self.reading = nil, nil
  self:_add_usage(made.usage)
  self.text = text_of(made)
  self:_append(made)
end

-- What a broken or aborted answer left is kept, marked, without calls.
function Turn:_keep_partial()
  local fold, reading = self.fold, self.reading
  self.fold, self.reading = nil, nil
  if reading then
    reading:close()
  end
  local made = fold and fold:partial()
  if made then
    for i = #made.content, 1, -1 do
      if made.content[i].type == "tool_call" then
        table.remove(made.content, i)
      end
    end
    if #made.content > 0 then
      self:_keep_answer(made)
    end
  end
end

function Turn:_fail(kind, text)
  self.error = { kind = kind, message = text }
  self.options.emit("error", { kind = kind, message = text })
end

-- One request; the answer so far and what is wrong with it.
function Turn:_request()
  local options = self.options
  self.fold = message.new(options.origin)
  self.reading = reply.new({
    fold = self.fold,
    emit = options.emit,
    tools = options.tools,
    prefix = ("call_%d"):format(#options.messages + 1),
  })
  self.reading:read(options.stream({
    system = options.system,
    messages = options.messages,
    tools = options.tools:definitions(),
    effort = options.effort,
  }))
  return self.fold:message()
end

-- False when the conversation cannot be made to fit.
function Turn:_make_room(is_refused)
  local make_room = self.options.make_room
  if not make_room then
    return true
  end
  local ok, problem = make_room(is_refused)
  if not ok then
    self:_fail("overflow", problem)
  end
  return ok
end

-- Asks the model; once more when the conversation was too long and could be made shorter. Nil when
-- that failed.
function Turn:_ask()
  if not self:_make_room(false) then
    return nil
  end
  local made, problem = self:_request()
  if problem and problem.kind == "overflow" and self.options.make_room then
    self.fold, self.reading = nil, nil
    if not self:_make_room(true) then
      return nil
    end
    made, problem = self:_request()
  end
  if problem then
    self:_keep_partial()
    self:_fail(problem.kind, problem.message)
    return nil
  end
  return made
end

-- An extension may change a call's input or deny it, before the message is kept.
function Turn:_prepare_call(call)
  local options = self.options
  local before = call.input and json.encode(call.input)
  local payload = options.emit("tool_call_complete", {
    index = self.reading:index_of(call.id),
    id = call.id,
    tool_name = options.tools:name_of(call.name),
    input = call.input,
  })
  local problem = type(payload.input) == "table" and json.problem(payload.input)
  if problem then
    call.input = before and json.decode(before)
    return { call = call, denied = "an extension changed its input: " .. problem }
  elseif type(payload.input) == "table" then
    local text = json.encode(payload.input)
    if text ~= before then
      call.arguments = text
    end
    call.input = payload.input
  end
  return { call = call, denied = payload.denied }
end

function Turn:_prepare_calls(made)
  local list = {}
  for _, part in ipairs(made.content) do
    if part.type == "tool_call" then
      list[#list + 1] = self:_prepare_call(part)
    end
  end
  return list
end

function Turn:_run_calls(list, reading)
  local options = self.options
  self.calls = calls.new(list, {
    tools = options.tools,
    emit = options.emit,
    cwd = options.cwd,
    guard = self.guard,
    save = options.save,
    append = function(made)
      if options.save then
        table.insert(options.messages, made)
      else
        self:_append(made)
      end
    end,
  })
  for _, entry in ipairs(list) do
    options.emit("tool_details", {
      index = reading:index_of(entry.call.id),
      id = entry.call.id,
      tool_name = options.tools:name_of(entry.call.name),
      input = entry.call.input,
    })
  end
  self.calls:run()
  self.calls = nil
  if self.guard:close_round() then
    self:_fail("loop", LOOP_MESSAGE)
    return false
  end
  return true
end

-- Delivers what the user typed meanwhile; true when there was something.
function Turn:_steer()
  local options = self.options
  local texts = options.take_steering and options.take_steering() or {}
  for _, text in ipairs(texts) do
    local said = options.emit("user_message", { text = text })
    self:_append({
      role = "user",
      content = json.array({ { type = "text", text = said.text or text } }),
    })
  end
  return #texts > 0
end

function Turn:_name_stop(made)
  local notice = stop_notices[made.stop_reason]
  if notice then
    self.options.emit("notice", { text = notice, level = "warning" })
  end
end

-- An empty message would make the next request invalid.
function Turn:_keep_nothing(made)
  self.fold, self.reading, self.text = nil, nil, ""
  self:_add_usage(made.usage)
  if stop_notices[made.stop_reason] then
    self:_name_stop(made)
  else
    self.options.emit("notice", { text = "The model answered nothing.", level = "warning" })
  end
  return self:_steer()
end

-- One request with its calls; true when the model is to be asked again.
function Turn:_round()
  local made = self:_ask()
  if not made then
    return false
  end
  local reading = self.reading
  local list = self:_prepare_calls(made)
  if #made.content == 0 then
    return self:_keep_nothing(made)
  end
  self:_keep_answer(made)
  self:_name_stop(made)
  if #list > 0 and not self:_run_calls(list, reading) then
    return false
  end
  local steered = self:_steer()
  return #list > 0 or steered or made.stop_reason == "pause"
end

function Turn:_rounds()
  local most = self.options.max_rounds
  repeat
    if most and self.rounds >= most then
      self:_fail("max_turns", ("The turn was stopped after %d requests."):format(most))
      return
    end
    self.rounds = self.rounds + 1
  until not self:_round()
end

-- The conversation is left valid: no call without a result, no half answer unmarked.
function Turn:_settle()
  local open = self.calls
  self.calls = nil
  if open then
    open:cancel()
    -- A second Esc ends the waiting, never the bookkeeping.
    pcall(open.wait_ended, open)
    open:close()
  end
  self:_keep_partial()
end

local function trace(err)
  if task.is_cancelled(err) then
    return err
  end
  return { message = tostring(err), traceback = debug.traceback("", 2) }
end

--- Runs a turn inside a task, to its end or until that task is cancelled (Esc). Never raises.
---@param options panto.TurnOptions
---@return panto.TurnResult
function turn.run(options)
  local self = setmetatable({
    options = options,
    guard = loop_guard.new(),
    usage = {},
    text = "",
    rounds = 0,
  }, Turn)
  options.emit("turn_start", {})
  -- The wall around a turn: whatever ends it, its messages are put in order.
  local ok, err = xpcall(self._rounds, trace, self)
  local status = self.error and "error" or "done"
  if not ok then
    self:_settle()
    status = task.is_cancelled(err) and "aborted" or "error"
    if status == "error" then
      self:_fail("internal", err.message)
      self.error.traceback = err.traceback
    end
  end
  local outcome = { status = status, text = self.text, usage = self.usage, error = self.error }
  options.emit("turn_end", { status = status, text = self.text, usage = self.usage })
  return outcome
end

return turn
