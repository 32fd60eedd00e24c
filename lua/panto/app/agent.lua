-- The agent as a library: a prompt becomes an iterator of events, in a task or in a plain script.

local bus_branch = require("panto.app.bus_branch")
local channel = require("panto.sys.channel")
local conversation = require("panto.app.conversation")
local event_record = require("panto.app.event_record")
local queue = require("panto.agent.queue")
local task = require("panto.sys.task")

---@class panto.Agent
---@field conversation panto.Conversation
---@field setup panto.Setup
---@field work panto.Task? the prompt that runs
local Agent = {}
Agent.__index = Agent

local agent = {}

-- What the handlers of extensions have seen goes to whoever iterates.
local Mount = {}
Mount.__index = Mount

function Mount.open() end

function Mount:close(name, payload)
  local events = self.events
  local made = events and event_record.new(name, payload)
  if made then
    events:put(made)
  end
end

--- Makes an agent on a setup of its own; without `is_saved` no file is written.
---@param setup panto.Setup
---@param options { is_saved: boolean, log: panto.session.Log? }
---@return panto.Agent
function agent.new(setup, options)
  local mount = setmetatable({}, Mount)
  setup.bus = bus_branch.new(setup.bus, mount)
  local self = setmetatable({ setup = setup, mount = mount, steering = queue.new() }, Agent)
  self.conversation = conversation.new(setup, options.log)
  if not options.is_saved then
    self.conversation.log.memory_only = true
    self.conversation.stop_keeping() -- beside no session there is no place for /undo
  end
  return self
end

local function finish(self, result)
  local log = self.conversation.log
  local session = log:is_saved() and log.id or nil
  local done = event_record.done(result, self.setup.choice.model, session)
  done.error = result.error
  self.last = done
  self.mount.events:put(done)
end

local function play(self, prompt)
  local guard <close> = setmetatable({}, {
    __close = function()
      self.mount.events:close()
      self.mount.events, self.work = nil, nil
    end,
  })
  local result = self.conversation:send(prompt, function()
    return self.steering:take_steering()
  end)
  return finish(self, result), guard and nil
end

--- Runs a prompt; returns an iterator of its events, the last one being `done`. Each event has its
--- name as `type`, and its payload. A `for` that is left early aborts the turn.
---@param prompt string
---@return fun(): table?
---@return nil
---@return nil
---@return table closer
function Agent:run(prompt)
  if type(prompt) ~= "string" then
    error("run: the prompt is a string, not a " .. type(prompt), 2)
  elseif self.work then
    error("run: this agent is still busy with a prompt; make another agent", 2)
  end
  local events = channel.new()
  self.mount.events = events
  local work
  work = task.run(function()
    self.work = task.current()
    return play(self, prompt)
  end)
  work.observed = true
  local function next_event()
    local event = events:take()
    if event == nil and work.err and not task.is_cancelled(work.err) then
      error(work.traceback or work.err, 0)
    end
    return event
  end
  local closer = setmetatable({}, {
    __close = function()
      task.cancel(work)
    end,
  })
  return next_event, nil, nil, closer
end

--- Runs a prompt to its end; returns the answer's text, or nil and what went wrong.
---@param prompt string
---@return string? text
---@return string? message
---@return table done status, usage, cost, session
function Agent:ask(prompt)
  local problem
  local done
  for event in self:run(prompt) do
    problem = event.type == "error" and event.message or problem
    done = event
  end
  if done.status == "done" then
    return done.text, nil, done
  end
  return nil, problem or done.status, done
end

--- Gives the running prompt a text that the model gets after the calls that run now.
---@param text string
function Agent:steer(text)
  self.steering:steer(text)
end

--- Aborts the running prompt; its iterator ends with `done`, status "aborted".
function Agent:abort()
  if self.work then
    task.cancel(self.work)
  end
end

--- Returns the conversation so far.
---@return panto.Message[]
function Agent:messages()
  return self.conversation.messages
end

--- Returns what all prompts together have used: tokens, and `cost` in USD when it is known.
---@return panto.Totals
function Agent:totals()
  return self.conversation.totals
end

--- Ends the agent and gives its session free.
function Agent:close()
  self:abort()
  self.conversation:close()
end

Agent.__close = Agent.close

return agent
