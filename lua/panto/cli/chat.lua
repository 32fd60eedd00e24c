-- `panto [--resume [id]] [--model M]`: the words of the conversation, then the REPL.

local app = require("panto.app")
local boot = require("panto.app.boot")
local broken_notice = require("panto.app.broken_notice")
local capture = require("panto.app.capture")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local library = require("panto.app.library")
local panto = require("panto")
local resume = require("panto.app.resume")
local task = require("panto.sys.task")
local trust_question = require("panto.cli.trust_question")
local usage = require("panto.cli.usage")

local chat = {}

local OPTIONS = { "--resume", "--fork", "--model" }

-- Why a word does nothing: a command behind an option is no longer one.
local function ignored(word, commands)
  if commands[word] then
    return ("ignored %q: a command comes first, its options after it"):format(word)
  end
  local known = { table.unpack(OPTIONS) }
  for name in pairs(commands) do
    known[#known + 1] = name
  end
  table.sort(known)
  return ("ignored %q%s"):format(word, usage.suggest(word, known))
end

local function parse(words, commands)
  local options = { warnings = {} }
  local i = 1
  while i <= #words do
    local word, value = words[i], words[i + 1]
    local has_value = value ~= nil and value:sub(1, 1) ~= "-"
    if word == "--resume" then
      options.resume = has_value and value or true
      i = i + (has_value and 1 or 0)
    elseif word == "--fork" then
      options.fork = true
      options.resume = options.resume or true
      if has_value and options.resume == true then
        options.resume = value
        i = i + 1
      end
    elseif word == "--model" and has_value then
      options.model = value
      i = i + 1
    elseif word == "--model" then
      options.problem = "--model needs a value, <provider>:<alias>"
    else
      options.warnings[#options.warnings + 1] = ignored(word, commands)
    end
    i = i + 1
  end
  return options
end

local function fail(code, message)
  io.stderr:write("panto: ", message, "\n")
  return code
end

-- Another panto has the session open: a copy of it can be had.
local function wants_copy(message)
  io.stderr:write("panto: ", message, "\nGo on with a copy of it now? [y/N] ")
  local answer = io.read("l") or ""
  return answer:lower():find("^%s*y") ~= nil
end

local function open(options)
  local cwd = fs.cwd()
  local resumed, message, locked
  if options.resume then
    resumed, message, locked = resume.open(options.resume, cwd, options.fork)
    if locked and wants_copy(message) then
      resumed, message = resume.fork(locked, cwd)
    end
    if not resumed then
      return fail(1, message)
    end
  end
  local captured = capture.install() -- before the extensions load
  local bus
  local setup
  setup, message = boot.load({
    cwd = cwd,
    model = options.model,
    report = function(err)
      broken_notice.tell(bus, err)
    end,
  })
  if not setup then
    return fail(2, message)
  elseif options.model and not setup.choice then
    return fail(2, setup.no_model)
  end
  bus, setup.captured = setup.bus, captured
  library.install(panto, setup)
  return app.run({ setup = setup, log = resumed })
end

--- Runs the REPL with its words.
---@param words string[]
---@param commands table<string, string> what the first word could have been
---@return integer exit_code
function chat.run(words, commands)
  local options = parse(words, commands)
  for _, warning in ipairs(options.warnings) do
    io.stderr:write("panto: ", warning, "\n")
  end
  if options.problem then
    return fail(2, options.problem)
  elseif not (env.is_terminal(0) and env.is_terminal(1)) then
    local advice = 'without one: panto run "…"'
    return fail(2, "the TUI requires an interactive terminal; " .. advice)
  end
  trust_question.ask(fs.cwd())
  return task.loop(open, options)
end

return chat
