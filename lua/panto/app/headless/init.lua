-- A conversation without a terminal: prompts in, answers or JSON lines out, an exit code at the end.

local ansi = require("panto.base.ansi")
local channel = require("panto.sys.channel")
local conversation = require("panto.app.conversation")
local env = require("panto.sys.env")
local event_record = require("panto.app.event_record")
local input = require("panto.app.headless.input")
local json = require("panto.base.json")
local log_file = require("panto.app.log_file")
local orphans = require("panto.sys.orphans")
local output = require("panto.app.headless.output")
local process = require("panto.sys.process")
local progress = require("panto.app.headless.progress")
local queue = require("panto.agent.queue")
local signal = require("panto.sys.signal")
local task = require("panto.sys.task")

---@class panto.HeadlessOptions
---@field setup panto.Setup
---@field log panto.session.Log? the session to go on with
---@field is_json boolean events as JSON lines instead of the answer's text
---@field capture panto.Capture installed before the extensions were loaded
---@field prompt string? the one prompt; without it they come as JSON lines on standard input

---@class panto.Headless
---@field setup panto.Setup
---@field conversation panto.Conversation
---@field output panto.headless.Output
---@field progress panto.headless.Progress
---@field prompts panto.Channel
---@field steering panto.Queue
---@field work panto.Task? the turn that runs
---@field pending integer prompts that are not done
---@field is_aborted boolean the next prompt is to be aborted before it begins
---@field code integer? set by whatever ends it early
---@field failed boolean
local Headless = {}
Headless.__index = Headless

local headless = {}

local BROKEN_PIPE = 141
local SIGNALS = { sigint = 130, sigterm = 143, sighup = 129 }

--- Shows nothing: without a screen events have no components.
---@return nil
function Headless:open() end

--- Takes an event that every handler has seen.
---@param name string
---@param payload table
function Headless:close(name, payload)
  self.progress:take(name, payload)
  local made = self.is_json and not self.ended and event_record.new(name, payload)
  if made then
    self.output:write(json.encode(made) .. "\n")
  end
end

-- Ends the turn and takes no more prompts.
local function leave(self, code)
  self.code = self.code or code
  self.prompts:close()
  while self.prompts:poll() do
  end
  if self.work then
    task.cancel(self.work)
  end
end

local function watch(self)
  orphans.watch()
  for name, code in pairs(SIGNALS) do
    signal.on(name, function()
      if self.code then -- asked twice: at once
        env.exit(code)
      end
      leave(self, code)
    end)
  end
  self.output.on_broken = function(message)
    if message:find("Broken pipe", 1, true) then
      leave(self, BROKEN_PIPE)
    else
      self.progress:say("cannot write to standard output: " .. message)
      leave(self, 1)
    end
  end
  task.on_unhandled(function(err, traceback)
    log_file.write(traceback or tostring(err))
    local text = "panto itself failed: %s (the traceback is in %s)"
    self.progress:say(text:format(tostring(err), log_file.path()))
  end)
end

local function tell_setup(self)
  local setup = self.setup
  for _, text in ipairs(setup.warnings) do
    self.progress:say(text)
  end
  for _, failure in ipairs(setup.failures) do
    local place = failure.line and (":" .. failure.line) or ""
    self.progress:say(("%s%s: %s"):format(failure.file, place, failure.message))
  end
  for _, note in ipairs(self.conversation.log.notes) do
    self.progress:say(note)
  end
end

local function problem(self, kind, message)
  self.failed = true
  self.setup.bus:emit("error", { kind = kind, message = message })
end

-- What came too late for its turn is told, never lost in silence.
local function drop_steering(self)
  for _, text in ipairs(self.steering:take_all()) do
    local message = "the turn ended before this was delivered, send it as a prompt: " .. text
    self.setup.bus:emit("error", { kind = "input", message = message })
  end
end

local function result_of(self, work)
  if work.results then
    return work.results[1]
  elseif task.is_cancelled(work.err) then
    return { status = "aborted", text = "", usage = {} }
  end
  log_file.write(work.traceback or tostring(work.err))
  problem(self, "internal", tostring(work.err))
  return { status = "error", text = "", usage = {} }
end

local function report(self, result)
  local log = self.conversation.log
  local session = log:is_saved() and log.id or nil
  if self.is_json then
    local done = event_record.done(result, self.setup.choice.model, session)
    self.output:write(json.encode(event_record.fill(done)) .. "\n")
  elseif result.status == "done" then
    local text = result.text
    text = env.is_terminal(1) and ansi.clean((text:gsub("\r\n?", "\n"))) or text
    self.output:write(text:sub(-1) == "\n" and text or text .. "\n")
  elseif result.text ~= "" then
    self.progress:say("the last answer was:\n" .. result.text)
  end
end

local function run_prompt(self, text)
  local work = task.run(function()
    return self.conversation:send(text, function()
      return self.steering:take_steering()
    end)
  end)
  self.work = work
  if self.is_aborted then
    self.is_aborted = false
    task.cancel(work)
  end
  task.join(work)
  self.work = nil
  self.pending = self.pending - 1
  local result = result_of(self, work)
  self.failed = self.failed or result.status == "error"
  drop_steering(self)
  report(self, result)
end

local act = {}

function act.prompt(self, object)
  self.pending = self.pending + 1
  self.prompts:put(object.text)
end

function act.steer(self, object)
  if self.pending > 0 then
    self.steering:steer(object.text)
  else
    problem(self, "input", "no turn is running, send this as a prompt: " .. object.text)
  end
end

function act.abort(self)
  if self.work then
    task.cancel(self.work)
  else
    self.is_aborted = self.pending > 0
  end
end

local function feed(self, prompt)
  if prompt then
    act.prompt(self, { text = prompt })
    self.prompts:close()
    return
  end
  task.run(function()
    input.read(function(object)
      act[object.type](self, object)
    end, function(message)
      problem(self, "input", message)
    end)
    self.prompts:close()
  end)
end

local function run_all(self, options)
  local setup = self.setup
  setup.bus:emit("session_start", {
    version = env.version(),
    cwd = setup.cwd,
    model = setup.choice.ref,
  })
  feed(self, options.prompt)
  for prompt in
    function()
      return self.prompts:take()
    end
  do
    run_prompt(self, prompt)
  end
  process.kill_all("sigterm")
  self.ended = true -- `done` is the last line
  setup.bus:emit("session_end", {})
  self.conversation:close()
end

--- Runs the prompts to their end, in a task; returns the exit code.
---@param options panto.HeadlessOptions
---@return integer code
function headless.run(options)
  local self = setmetatable({
    setup = options.setup,
    is_json = options.is_json,
    output = output.new(),
    progress = progress.new(options.is_json),
    prompts = channel.new(),
    steering = queue.new(),
    pending = 0,
    is_aborted = false,
    failed = false,
  }, Headless)
  self.conversation = conversation.new(options.setup, options.log)
  watch(self)
  tell_setup(self)
  options.setup.bus:set_mount(self)
  options.capture:open(function(text)
    io.stderr:write(text)
  end)
  run_all(self, options)
  options.capture:close()
  return self.code or (self.failed and 1 or 0)
end

return headless
