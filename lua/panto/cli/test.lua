-- `panto test [--filter PATTERN] [PATH…]`: runs the *_spec.lua of extensions; exits 0, 1 or 2.

local env = require("panto.sys.env")
local find = require("panto.testing.find")
local fs = require("panto.sys.fs")
local process = require("panto.sys.process")
local report = require("panto.testing.report")
local runner = require("panto.testing.runner")
local signal = require("panto.sys.signal")
local task = require("panto.sys.task")
local usage = require("panto.cli.usage")

local test = {}

local USAGE = "panto test [--filter PATTERN] [PATH…]"

local function parse(words)
  local options, i = { paths = {} }, 1
  while i <= #words do
    local word = words[i]
    if word == "--filter" and words[i + 1] then
      options.filter = words[i + 1]
      i = i + 1
    elseif word:sub(1, 1) == "-" then
      local hint = usage.suggest(word, { "--filter" })
      local is_bare = word == "--filter"
      options.problem = is_bare and "--filter needs a pattern"
        or ("test does not know %q%s"):format(word, hint)
    else
      table.insert(options.paths, word)
    end
    i = i + 1
  end
  return options
end

local function run_all(files, filter)
  signal.on("sigint", function()
    task.run(function()
      process.kill_all("sigterm")
      env.exit(130)
    end)
  end)
  local made = report.new()
  for _, file in ipairs(files) do
    runner.run(file.path, file.shown, { report = made, filter = filter })
  end
  local ran, failed = made:finish()
  if ran == 0 then
    io.stderr:write("panto: no test ran\n")
    return 2
  end
  return failed > 0 and 1 or 0
end

--- Runs the spec files that the words name.
---@param words string[]
---@return integer exit_code 0, 1 when a test failed, 2 when there is none to run
function test.run(words)
  local options = parse(words)
  if options.problem then
    return usage.refuse(options.problem, USAGE)
  end
  local files, message = find.run(options.paths, fs.cwd())
  if not files then
    return usage.refuse(message, USAGE)
  elseif not files[1] then
    return usage.refuse("there is no *_spec.lua here", USAGE)
  end
  return task.loop(run_all, files, options.filter)
end

return test
