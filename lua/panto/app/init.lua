-- The REPL: joins terminal, screen, keys, transcript, commands and the conversation's turns.

local actions = require("panto.app.actions")
local attention = require("panto.app.attention")
local builtin = require("panto.app.builtin")
local capture = require("panto.app.capture")
local chunks = require("panto.sys.chunks")
local commands = require("panto.app.commands")
local conversation = require("panto.app.conversation")
local env = require("panto.sys.env")
local extensions = require("panto.app.extensions")
local files = require("panto.app.files")
local focus = require("panto.app.focus")
local frame = require("panto.app.frame")
local fs = require("panto.sys.fs")
local git_branch = require("panto.app.git_branch")
local key_input = require("panto.app.key_input")
local loan = require("panto.app.loan")
local log_file = require("panto.app.log_file")
local login_notice = require("panto.app.login_notice")
local lua_view = require("panto.app.lua_view")
local modes = require("panto.tui.modes")
local orphans = require("panto.sys.orphans")
local plain_mode = require("panto.app.plain_mode")
local process = require("panto.sys.process")
local program = require("panto.app.program")
local prompt_history = require("panto.app.prompt_history")
local resizing = require("panto.app.resizing")
local resumed = require("panto.app.resumed")
local screen = require("panto.tui.screen")
local screen_images = require("panto.app.screen_images")
local signal = require("panto.sys.signal")
local status = require("panto.app.status")
local style = require("panto.tui.style")
local task = require("panto.sys.task")
local term = require("panto.sys.term")
local toml = require("panto.sys.toml")
local transcript = require("panto.app.transcript")
local turns = require("panto.app.turns")
local ui = require("panto.app.ui")
local view = require("panto.app.view")

local IDLE_MS = 300
local END_MS = 2000

---@class panto.App
---@field setup panto.Setup
---@field conversation panto.Conversation
---@field turns panto.Turns
---@field transcript panto.Transcript
---@field view panto.View
---@field settle_ms integer how long a new size must have stayed
---@field cursor_asks integer? questions for the cursor's place without an answer
---@field asked_cursor_ms number? when the last was asked
---@field is_asking_cursor boolean? its answer is waited for
---@field size_question panto.SizeQuestion
local App = {}
App.__index = App

local app = {}

--- Shows a message of panto's own in the transcript.
---@param level "info"|"warning"|"error"
---@param text string
function App:tell(level, text)
  self.setup.bus:emit("notice", { level = level, text = text })
end

-- A command may wait (for a dialog, for a server), so it runs in a task of its own.
local function run_command(self, line)
  task.run(function()
    local found = commands.run(self.setup.registry, line, self.teller)
    if not found and self.view.draft:is_empty() then
      self.view.draft:set(line)
    end
    self.frame:mark() -- the footer may tell something else now
  end)
end

-- While the terminal has not taken the last frame there is no next one. A size that changed since the
-- last signal would put the lines in wrong rows: it is asked each time.
local function draw(self, is_echo)
  if self.term.unsent then
    return
  elseif self.term:measure() then
    resizing.start(self)
    return
  elseif resizing.must_wait(self) then
    return
  end
  local screen_cols = self.screen.cols
  self.images:set_rows(self.screen.rows)
  if not is_echo then
    self.screen:append(self.transcript:take(screen_cols))
  end
  status.show(self.view.footer, self.setup, self.conversation.totals, self.branch)
  self.view.editor:set_max_rows(math.min(12, self.screen.rows // 2))
  if self.screen:draw(self.view:render(screen_cols, is_echo)) then
    resizing.ask_size(self)
  end
end

--- Starts a turn, or runs a line that begins with "/".
---@param text string
function App:submit(text)
  if text:sub(1, 1) == "/" then
    run_command(self, text)
  elseif not self.setup.choice then
    self:tell("error", self.setup.no_model:match("^[^\n]*"))
    self.view.draft:set(text)
  else
    self.turns:submit(text)
  end
end

--- Ends the REPL: the main loop sees it after the running turn was put in order.
---@param code integer
function App:leave(code)
  self.code = self.code or code
  self.term.events:put({ type = "leave" })
end

local function send(self, text, take_steering)
  local stop = self.view:start_spinner("working")
  local guard <close> = setmetatable({}, { __close = stop })
  return self.conversation:send(text, take_steering), guard and nil
end

--- Compacts the conversation, as a turn would: waited for, and stopped by Esc.
---@param instructions string what the user wants of the summary; may be empty
function App:compact(instructions)
  self.turns:run(function()
    local stop = self.view:start_spinner("compacting")
    local guard <close> = setmetatable({}, { __close = stop })
    local ok, problem = self.conversation.compaction:run(instructions)
    if not ok then
      self:tell("warning", problem)
    end
    return guard and nil
  end)
end

local function give_back(self, texts)
  if texts[1] then
    local draft = self.view.draft
    if not draft:is_empty() then
      texts[#texts + 1] = draft:text()
    end
    draft:set(table.concat(texts, "\n"))
  end
end

local function show_retries(self)
  local owner = { entry = "panto", source = "app/init.lua" }
  self.setup.bus:on("retry", function(e)
    local text = "trying again in %.0f s (attempt %d of %d)"
    self.view:set_label(text:format(e.wait_ms / 1000, e.attempt + 1, e.max_attempts))
    self:tell("warning", e.message)
  end, owner)
  for _, name in ipairs({ "restart", "assistant_text", "thinking", "tool" }) do
    self.setup.bus:on(name, function()
      self.view:set_label("working")
    end, owner)
  end
end

local function start_notices(self)
  local setup = self.setup
  for _, text in ipairs(setup.warnings) do
    self:tell("warning", text)
  end
  for _, failure in ipairs(setup.failures) do
    self:tell("error", "not loaded: " .. extensions.describe(failure))
  end
  if not setup.choice then
    self:tell("warning", setup.no_model)
  end
end

local function build_view(self, changed, failed)
  local setup = self.setup
  self.view = view.new({
    theme = self.theme,
    transcript = self.transcript,
    queue = self.turns.queue,
    history = prompt_history.read(),
    keys = setup.config.keys,
    changed = changed,
    mount = function(name, default, payload)
      local _, component, by = setup.bus:emit(name, payload, default)
      return component == default and default
        or lua_view.new({
          component = component,
          default = default,
          owner = by,
          report = failed,
          changed = changed,
        })
    end,
    complete = function(line, col)
      return self.files:complete(line, col)
        or commands.complete(setup.registry, line, col, self.teller)
    end,
  })
  self.files = files.new(setup.cwd, function()
    self.view.editor:refresh()
    changed()
  end)
  self.focus = focus.new(function()
    local views = self.transcript:views()
    return table.move(self.view:views(), 1, 9, #views + 1, views)
  end, changed)
end

local function build(self, options)
  local setup = self.setup
  local function changed()
    self.frame:mark()
  end
  local function failed(err)
    local owner = err.owner or { entry = "panto", source = "built in" }
    local text = "a component of %s failed (%s): %s%s"
    text = text:format(owner.entry, owner.source, err.message, err.traceback)
    log_file.write(text)
    self:tell("error", text)
  end
  function self.teller(level, text)
    self:tell(level, text)
  end
  self.theme = style.choose(env.get, plain_mode.theme(setup))
  self.images = screen_images.new(setup, self.theme)
  self.modes = modes.new({
    graphics = self.images.graphics,
    has_title = modes.knows_title(env.get),
    has_progress = modes.knows_progress(env.get),
    has_marks = screen.clears_marked(env.get),
  })
  self.frame = frame.new(function(is_echo)
    draw(self, is_echo)
  end)
  self.conversation = conversation.new(setup, options.log)
  self.conversation.show_work = function(label)
    self.view:set_label(label)
  end
  self.transcript = transcript.new({
    images = self.images,
    theme = self.theme,
    cwd = setup.cwd,
    changed = changed,
    report = failed,
    is_focused = function(component)
      return self.focus:is_on(component)
    end,
  })
  setup.bus:set_mount(self.transcript)
  self.turns = turns.new({
    send = function(text, take_steering)
      return send(self, text, take_steering)
    end,
    changed = changed,
    give_back = function(texts)
      give_back(self, texts)
    end,
  })
  build_view(self, changed, failed)
  self.branch = git_branch.read(setup.cwd)
  setup.show_login = login_notice.new(setup.bus, self.view)
  builtin.register(self)
  plain_mode.watch(self)
  show_retries(self)
end

local function watch(self)
  orphans.watch()
  for name, code in pairs({ sigterm = 143, sighup = 129 }) do
    signal.on(name, function()
      self:leave(code)
    end)
  end
  signal.on("sigint", function()
    if not self.screen.is_suspended then -- it is meant for who has the terminal
      actions.run(self, { cancel = true })
    end
  end)
  task.on_unhandled(function(err, traceback)
    log_file.write(traceback or tostring(err))
    local text = "panto itself failed: %s (the traceback is in %s)"
    self:tell("error", text:format(tostring(err), log_file.path()))
  end)
  local captured = self.setup.captured or capture.install()
  local restore_children = loan.watch(self)
  function self.restore_output()
    restore_children()
    captured:close()
    captured.remove()
  end
  captured:open(function(text)
    self:tell("info", (text:gsub("^\n+", ""):gsub("%s+$", "")))
  end, { stderr = true })
  self.restore_ui = ui.install(self)
end

local function loop(self)
  local read = key_input.reader(self)
  for event in
    function()
      return self.term.events:take()
    end
  do
    if event.type == "input" then
      read(event.data)
    elseif event.type == "resize" then
      resizing.start(self)
    elseif event.type == "drained" then
      self.frame:mark()
    else
      return self.code or 0
    end
  end
end

local function open_terminal(self, options)
  local opened, message = (options.terminal or term).open(self)
  if not opened then
    return nil, message
  end
  self.term = opened
  self.settle_ms = options.terminal and 0 or screen.settle_ms(env.get)
  self.screen = (options.screen or plain_mode.screen(self.setup)).new({
    cols = opened.cols,
    rows = opened.rows,
    images = self.images,
    reflow = screen.reflows(env.get),
    marks_live = screen.clears_marked(env.get),
    write = function(bytes)
      opened:write(bytes)
    end,
  })
  opened:on_restore(self.modes:stop())
  opened:write(self.modes:start())
  self.attention = attention.new(self)
  return true
end

local function close(self)
  self.turns:stop()
  process.kill_all("sigterm")
  task.timeout(END_MS, self.setup.bus.emit, self.setup.bus, "session_end", {})
  self.restore_ui()
  self.restore_output()
  if self.term.unsent then
    self.term:flush()
  end
  self.frame:now()
  self.screen:close()
  local id = self.conversation:close()
  if id then -- not with io.write, which waits for a terminal that takes nothing
    local said = "%s --resume %s goes on with this conversation\r\n"
    self.term:write(said:format(program.name(), id))
  end
  resizing.finish(self)
  self.term:close()
end

--- Opens the REPL on a setup; returns the exit code when the user leaves.
---@param options { setup: panto.Setup, log: panto.session.Log?, terminal: table?, screen: table? }
---@return integer code
function app.run(options)
  local setup = options.setup
  local self = setmetatable({ setup = setup, size_question = { dissents = 0 } }, App)
  build(self, options)
  local opened, message = open_terminal(self, options)
  if not opened then
    io.stderr:write("panto: ", message, "\n")
    return 2
  end
  watch(self)
  start_notices(self)
  if options.log then
    resumed.show(self)
  end
  setup.bus:emit("session_start", {
    version = env.version(),
    cwd = setup.cwd,
    model = setup.choice and setup.choice.ref,
  })
  self.frame:now()
  task.run(function()
    task.sleep(IDLE_MS)
    if fs.mkdir(env.path("cache")) then
      chunks.save()
      toml.save_cache()
    end
  end)
  local code = loop(self)
  close(self)
  return code
end

return app
