-- Runs the calls of one assistant message, together where that is allowed, and hands on their
-- results in call order.

local result = require("panto.agent.result")
local task = require("panto.sys.task")
local tools = require("panto.agent.tools")

local calls = {}

local ABORT_WAIT_MS = 6000

---@class panto.CallsOptions
---@field tools panto.Toolset
---@field emit fun(name: string, payload: table, settled: (fun(payload: table))?): table
---@field cwd string
---@field append fun(message: panto.ToolMessage) in call order
---@field save (fun(message: panto.ToolMessage))? as each ends, before it is shown
---@field guard panto.LoopGuard

---@class panto.Calls
---@field list { call: panto.ToolCallPart, denied: string? }[]
---@field done panto.ToolMessage[] by position
---@field appended integer how many results have gone on
local Calls = {}
Calls.__index = Calls

--- Returns the calls of a message, ready to run.
---@param list { call: panto.ToolCallPart, denied: string? }[]
---@param options panto.CallsOptions
---@return panto.Calls
function calls.new(list, options)
  return setmetatable(
    { list = list, options = options, done = {}, running = {}, appended = 0 },
    Calls
  )
end

-- Results join the conversation in call order, as soon as all before them have.
function Calls:_append_ready()
  while self.done[self.appended + 1] do
    self.appended = self.appended + 1
    self.options.append(self.done[self.appended])
  end
end

-- What the handlers left of a result is what is kept; it is durable before it is shown as done.
function Calls:_settle(call, message, output)
  local options = self.options
  if output ~= result.text(message) then
    result.set_text(message, tostring(output))
  end
  local text = result.text(message)
  local advice = options.guard:add(call, text)
  if advice then
    result.set_text(message, text .. "\n\n" .. advice)
  end
  if options.save then
    options.save(message)
  end
end

function Calls:_finish(position, message)
  local options = self.options
  local call = self.list[position].call
  local is_settled = false
  local function settle(payload)
    if not is_settled then
      is_settled = true
      self:_settle(call, message, payload.output)
    end
  end
  local payload = options.emit("tool_result", {
    id = call.id,
    tool_name = options.tools:name_of(call.name),
    output = result.text(message),
    is_error = message.is_error,
    details = message.details,
    images = result.images(message),
  }, settle)
  settle(payload)
  options.emit("tool_collapse", { id = call.id, tool_name = payload.tool_name })
  self.done[position] = message
end

function Calls:_context(call)
  local options = self.options
  return {
    cwd = options.cwd,
    call_id = call.id,
    progress = function(text)
      options.emit("tool_progress", {
        id = call.id,
        tool_name = options.tools:name_of(call.name),
        delta = tostring(text),
      })
    end,
  }
end

function Calls:_run_one(position)
  local entry = self.list[position]
  local message
  if entry.denied then
    local text = "The call was denied: " .. entry.denied
    message = tools.message(entry.call, result.new(text, true))
  else
    message = self.options.tools:call(entry.call, self:_context(entry.call))
  end
  if not self.closed then
    self:_finish(position, message)
    self:_append_ready()
  end
end

function Calls:_await_running()
  local running = self.running
  for position in ipairs(self.list) do
    if running[position] then
      task.await(running[position])
    end
  end
  self.running = {}
end

--- Runs the calls: those beside each other together, a sequential one alone and in its order.
function Calls:run()
  for position, entry in ipairs(self.list) do
    local tool = self.options.tools:get(entry.call.name)
    if tool and tool.sequential then
      self:_await_running()
    end
    self.running[position] = task.run(self._run_one, self, position)
    if tool and tool.sequential then
      self:_await_running()
    end
  end
  self:_await_running()
end

local function join_all(running)
  for _, t in pairs(running) do
    task.join(t)
  end
end

--- Cancels the calls that still run; returns at once, they clean up by themselves.
function Calls:cancel()
  for _, t in pairs(self.running) do
    t.observed = true
    task.cancel(t)
  end
end

--- Waits until the cancelled calls have cleaned up, but not for ever.
function Calls:wait_ended()
  task.timeout(ABORT_WAIT_MS, join_all, self.running)
end

--- Gives every call without a result an aborted one.
function Calls:close()
  self.closed = true
  for position, entry in ipairs(self.list) do
    if not self.done[position] then
      local text = "aborted: the user stopped the turn before this call had ended"
      self:_finish(position, tools.message(entry.call, result.new(text, true)))
    end
  end
  self:_append_ready()
end

return calls
