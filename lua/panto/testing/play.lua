-- Runs the real agent and screen for a spec: extensions, a scripted model, keys in and lines out.

local app = require("panto.app")
local boot = require("panto.app.boot")
local broken_notice = require("panto.app.broken_notice")
local commands = require("panto.app.commands")
local extensions = require("panto.app.extensions")
local fake_clock = require("panto.sys.fake_clock")
local folder = require("panto.testing.folder")
local fs = require("panto.sys.fs")
local key_bytes = require("panto.testing.key_bytes")
local library = require("panto.app.library")
local panel = require("panto.testing.panel")
local panto = require("panto")
local record = require("panto.testing.record")
local redirect = require("panto.sys.redirect")
local task = require("panto.sys.task")
local terminal = require("panto.testing.terminal")
local trust = require("panto.app.trust")

local START_MS = 1767225600000 -- 2026-01-01 00:00 UTC
local POLL_MS, PATIENCE_MS = 2, 20000

---@class panto.Play
---@field cwd string the working folder of this test
---@field app panto.App
---@field record panto.Record
---@field clock panto.FakeClock? nil with the real time
---@field command panto.Task? a slash command that runs
---@field is_started boolean a turn was started that nobody waits for
local Play = {}
Play.__index = Play

local play = {}

---@class panto.PlayOptions
---@field extensions string[] files, folders
---@field script table|function|nil what the model answers, step by step
---@field files table<string, string>? contents by path in the working folder
---@field config string? TOML of the user's layer
---@field cols integer? of the screen, 80 when left out
---@field rows integer?
---@field clock "fake"|"real"|nil
---@field allow_failures boolean? an extension that cannot be loaded is no error

local function check_failures(setup, options)
  local failure = setup.failures[1]
  if failure and not options.allow_failures then
    error(extensions.describe(failure), 0)
  end
end

local function load_setup(self, options)
  for path in pairs(options.files or {}) do
    if path:find("^%.panto/") then
      trust.add(trust.read(self.cwd))
      break
    end
  end
  local bus
  local setup, message = boot.load({
    cwd = self.cwd,
    model = "script:spec",
    report = function(err)
      broken_notice.tell(bus, err)
    end,
  })
  if not setup then
    error(message, 0)
  end
  bus = setup.bus
  check_failures(setup, options)
  table.remove(setup.warnings) -- that a script is no AI
  setup.choice.provider.steps = options.script or {}
  self.modules = setup.modules
  library.install(panto, setup)
  self.record = record.new(bus)
  return setup
end

local function start(self, options)
  local setup = load_setup(self, options)
  local function open(opened)
    self.app = opened
    opened.conversation.log.memory_only = true
    self.terminal = terminal.new(options.cols or 80, options.rows or 24)
    return self.terminal
  end
  self.work = task.run(app.run, { setup = setup, terminal = { open = open }, screen = panel })
  self.work.observed = true
  if self.work.err then
    error(self.work.traceback or self.work.err, 0)
  end
end

--- Opens panto with some extensions in folders of its own; call it in a task.
---@param options panto.PlayOptions
---@return panto.Play
function play.new(options)
  local made = folder.new(options)
  local self = setmetatable({ folder = made, cwd = made.work, is_started = false }, Play)
  self.restore_folders = redirect.start(made:homes(), made.work)
  if options.clock ~= "real" then
    self.clock = fake_clock.install(START_MS, { panto.task })
  end
  self.sleep = self.clock and self.clock.sleep or task.sleep
  self.is_open = true
  local opened <close> = setmetatable({}, {
    __close = function(_, err)
      if err ~= nil then
        self:close()
      end
    end,
  })
  start(self, options)
  self:settle()
  return self, opened and nil
end

--- Lets all go on that waits for nothing but its turn.
function Play:settle()
  self.sleep(0)
  self.sleep(0)
end

local function is_busy(self)
  return self.app.turns.running ~= nil or (self.command ~= nil and not self.command:done())
end

--- Waits until the turn and the command have ended, or a dialog is open.
function Play:wait()
  self.is_started = false
  local waited = 0
  self:settle()
  while is_busy(self) and not self.app.view:has_overlay() do
    if waited > PATIENCE_MS then
      error("it has not ended; does it sleep? t:advance(ms) lets the time go on", 2)
    end
    self.sleep(POLL_MS)
    waited = waited + POLL_MS
  end
  self:settle()
end

--- Says something to the model, or runs a line that begins with "/", and goes on at once.
---@param text string
function Play:start(text)
  self.is_started = true
  if text:sub(1, 1) == "/" then
    local setup, teller = self.app.setup, self.app.teller
    self.command = task.run(commands.run, setup.registry, text, teller)
    self.command.observed = true
  else
    self.app:submit(text)
  end
end

--- Says something to the model, or runs a line that begins with "/", and waits for the end of it.
---@param text string
---@return string answer the model's last text
function Play:say(text)
  self:start(text)
  self:wait()
  local ends = self.record:list("turn_end")
  local last = ends[#ends]
  return last and last.text or ""
end

--- Types text into the editor, or into what has the keys.
---@param text string
function Play:type(text)
  self.terminal:send(text)
  self:settle()
end

--- Presses keys one after the other, such as "ctrl+o" or "enter", and waits for what they begin.
---@param ... string
function Play:press(...)
  for _, name in ipairs({ ... }) do
    local bytes, message = key_bytes.encode(name)
    if not bytes then
      error(message, 2)
    end
    self.terminal:send(bytes)
    self:settle()
    if not self.is_started then
      self:wait()
    end
  end
end

--- Returns the rows of the screen, those that are scrolled away included.
---@return string[]
function Play:lines()
  self.app.frame:now()
  return self.app.screen:lines()
end

--- Returns the screen's rows as one text.
---@return string
function Play:screen()
  return table.concat(self:lines(), "\n")
end

--- Waits, in real time, until a text stands on the screen.
---@param text string
---@return string screen
function Play:wait_for(text)
  local waited = 0
  while not self:screen():find(text, 1, true) do
    if waited > PATIENCE_MS then
      error(("%q does not come:\n%s"):format(text, self:screen()), 2)
    end
    self.sleep(POLL_MS)
    waited = waited + POLL_MS
  end
  return self:screen()
end

--- Returns what a tool answered last, and the event with is_error, details and input.
---@param tool_name string? the last result of all when left out
---@return string? output
---@return table? event
function Play:tool_result(tool_name)
  local found = self.record:result(tool_name)
  return found and found.output, found
end

--- Returns what has happened so far, each event as its handlers left it.
---@param name string? only the events of that name
---@return table[]
function Play:events(name)
  return self.record:list(name)
end

--- Returns what the model was told so far: system, messages, tools of each request.
---@return table[]
function Play:requests()
  return self.record.requests
end

--- Returns what Tab would offer behind a line that begins with "/".
---@param line string
---@return string[]
function Play:complete(line)
  local found = commands.complete(self.app.setup.registry, line, #line, self.app.teller)
  local labels = {}
  for i, item in ipairs(found and found.items or {}) do
    labels[i] = item.label
  end
  return labels
end

--- Lets the time go on.
---@param ms integer
function Play:advance(ms)
  if not self.clock then
    error("the time of this test is the real one", 2)
  end
  self.clock:advance(ms)
end

--- Changes the size of the screen.
---@param cols integer
---@param rows integer?
function Play:resize(cols, rows)
  self.terminal:resize(cols, rows or self.terminal.rows)
  self:settle()
end

--- Loads all extensions anew, as /reload does.
function Play:reload()
  self:say("/reload")
end

--- Reads a file of the working folder.
---@param path string
---@return string?
function Play:read(path)
  return (fs.read(fs.expand(path, self.cwd)))
end

--- Writes a file of the working folder.
---@param path string
---@param text string
function Play:write(path, text)
  assert(fs.write(fs.expand(path, self.cwd), text, { parents = true }))
end

-- What the extensions required is read anew by the next test.
local function forget_modules(known)
  for name in pairs(package.loaded) do
    local is_own = known[name] or name:find("^panto%f[.\0]") or name:find("^std%.")
    if not is_own and package.searchpath(name, package.path) then
      package.loaded[name] = nil
    end
  end
end

local function leave(self)
  local opened = self.app
  if self.work and not self.work:done() then
    self.terminal.events:put({ type = "leave" })
    task.join(self.work)
  elseif opened and opened.restore_ui then -- it broke while it opened
    opened.restore_ui()
    opened.restore_output()
  end
end

--- Ends it and removes its folders; at the end of a test that is done by itself.
function Play:close()
  if not self.is_open then
    return
  end
  self.is_open = false
  if self.clock then
    self.clock.restore()
  end
  leave(self)
  if self.modules then
    forget_modules(self.modules)
  end
  self.restore_folders()
  self.folder:remove()
end

Play.__close = Play.close

return play
