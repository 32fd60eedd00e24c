-- `panto run`: one prompt (or many, as JSON lines) without a terminal.

local boot = require("panto.app.boot")
local broken_notice = require("panto.app.broken_notice")
local capture = require("panto.app.capture")
local fs = require("panto.sys.fs")
local headless = require("panto.app.headless")
local http = require("panto.sys.http")
local library = require("panto.app.library")
local panto = require("panto")
local resume = require("panto.app.resume")
local start_cache = require("panto.app.start_cache")
local stdin = require("panto.sys.stdin")
local task = require("panto.sys.task")
local usage = require("panto.cli.usage")
local utf8x = require("panto.base.utf8x")

local run = {}

local USAGE = "panto run [--json] [--model PROVIDER:ALIAS] [--resume [ID]] [--max-turns N] "
  .. "[PROMPT…|-]\n         panto run --input jsonl [--model …] [--resume [ID]] [--max-turns N]"
local KNOWN = { "--json", "--model", "--resume", "--fork", "--max-turns", "--input", "--", "-" }
local PATIENCE_MS = 2000

---@class panto.cli.RunOptions
---@field words string[] of the prompt
---@field json boolean?
---@field model string?
---@field resume (string|true)?
---@field fork boolean? go on with a copy
---@field max_turns integer?
---@field input string?
---@field problem string?

-- Takes the value after an option; nil and a problem when there is none.
local function value_after(state, name, what)
  local value = state.list[state.at + 1]
  if not value or (value:sub(1, 1) == "-" and value ~= "-") then
    state.options.problem = ("%s needs %s"):format(name, what)
    return nil
  end
  state.at = state.at + 1
  return value
end

local take = {}

take["--json"] = function(state)
  state.options.json = true
end

take["--model"] = function(state)
  state.options.model = value_after(state, "--model", "a value, <provider>:<alias>")
end

-- An id is hexadecimal and has a digit; any other word begins the prompt.
take["--resume"] = function(state)
  local value = state.list[state.at + 1]
  local is_id = value and #value >= 4 and value:find("^%x[%x-]*$") and value:find("%d")
  state.options.resume = is_id and value or true
  state.at = state.at + (is_id and 1 or 0)
end

take["--fork"] = function(state)
  state.options.fork = true
  state.options.resume = state.options.resume or true
end

take["--max-turns"] = function(state)
  local value = value_after(state, "--max-turns", "a number of model requests")
  local number = value and value:match("^%d+$") and math.tointeger(tonumber(value))
  if value and not (number and number > 0) then
    state.options.problem = ("--max-turns needs a whole number above 0, found %q"):format(value)
  end
  state.options.max_turns = number
end

take["--input"] = function(state)
  local value = value_after(state, "--input", "a format: jsonl")
  if value and value ~= "jsonl" then
    local hint = usage.suggest(value, { "jsonl" })
    state.options.problem = ("--input knows only jsonl, found %q%s"):format(value, hint)
  end
  state.options.input = value
end

---@param list string[]
---@return panto.cli.RunOptions
local function parse(list)
  local state = { list = list, at = 1, options = { words = {} } }
  local options = state.options
  while state.at <= #list and not options.problem do
    local word = list[state.at]
    local name, value = word:match("^(%-%-[%w-]+)=(.*)$")
    if name and take[name] and name ~= "--json" then
      list[state.at] = name
      table.insert(list, state.at + 1, value)
    elseif word == "--" then
      table.move(list, state.at + 1, #list, #options.words + 1, options.words)
      break
    else
      if take[word] then
        take[word](state)
      elseif word:sub(1, 1) == "-" and word ~= "-" then
        options.problem = ("run does not know %q%s"):format(word, usage.suggest(word, KNOWN))
      else
        options.words[#options.words + 1] = word
      end
      state.at = state.at + 1
    end
  end
  if options.input and options.words[1] and not options.problem then
    options.problem = "with --input jsonl the prompts come on standard input, not as words"
  end
  return options
end

local function fail(code, message)
  io.stderr:write("panto: ", message, "\n")
  return code
end

-- What is piped in; a pipe that nobody writes to is told of, since it looks like a hang.
local function read_piped(has_prompt)
  if stdin.kind() == "tty" then
    return ""
  end
  local reading <close> = task.run(stdin.read_all)
  reading.observed = true
  if not task.timeout(PATIENCE_MS, task.join, reading) then
    local what = has_prompt and "more of the prompt" or "the prompt"
    io.stderr:write("panto: reading ", what, " from standard input\n")
  end
  return (utf8x.repair(task.await(reading)))
end

-- The words, then what is piped in; nil when both are empty.
local function read_prompt(words)
  if #words == 1 and words[1] == "-" then
    words = {}
    if stdin.kind() == "tty" then
      return nil, '"-" reads the prompt from standard input, which is a terminal'
    end
  end
  local said = table.concat(words, " ")
  local piped = read_piped(said ~= "")
  local prompt = said
  if piped:find("%S") then
    prompt = said == "" and piped or said .. "\n\n" .. piped
  end
  if not prompt:find("%S") then
    return nil, "there is no prompt: give it as words or on standard input"
  end
  return prompt
end

local function load_setup(options, cwd)
  local bus
  local setup, message = boot.load({
    cwd = cwd,
    model = options.model,
    report = function(err)
      broken_notice.tell(bus, err)
    end,
  })
  if not setup then
    return nil, message
  elseif not setup.choice then
    return nil, setup.no_model
  end
  http.warm(setup.choice.provider.base_url)
  bus = setup.bus
  library.install(panto, setup)
  setup.max_rounds = options.max_turns
  return setup
end

local function open(options)
  local prompt, setup, log, message
  local cwd = fs.cwd()
  local captured = capture.install()
  setup, message = load_setup(options, cwd)
  if not setup then
    return fail(2, message)
  end
  if not options.input then
    prompt, message = read_prompt(options.words)
    if not prompt then
      return usage.refuse(message, USAGE)
    end
  end
  if options.resume then
    log, message = resume.open(options.resume, cwd, options.fork)
    if not log then
      return fail(2, message)
    end
  end
  local code = headless.run({
    setup = setup,
    log = log,
    prompt = prompt,
    capture = captured,
    is_json = options.json or options.input ~= nil,
  })
  start_cache.save()
  return code
end

--- Runs the prompt with the words of the command line.
---@param words string[]
---@return integer exit_code
function run.run(words)
  local options = parse({ table.unpack(words) })
  if options.problem then
    return usage.refuse(options.problem, USAGE)
  end
  return task.loop(open, options)
end

return run
