-- `panto lua`: the standalone interpreter, lua.c's options and messages in Lua.

local env = require("panto.sys.env")
local repl = require("panto.cli.lua_repl")
local run = require("panto.cli.lua_run")
local shims = require("panto.sys.shims")

local lua = {}

local USAGE = [=[
usage: lua [options] [script [args]]
Available options are:
  -e stat   execute string 'stat'
  -i        enter interactive mode after executing 'script'
  -l mod    require library 'mod' into global 'mod'
  -l g=mod  require library 'mod' into global 'g'
  -v        show version information
  -E        ignore environment variables
  -W        turn warnings on
  --        stop handling options
  -         stop handling options and execute stdin
]=]

local VERSION = "Lua 5.4.8  Copyright (C) 1994-2025 Lua.org, PUC-Rio"

---@class panto.cli.LuaOptions
---@field script integer|nil index of the script among the words
---@field last integer|nil index of "--"
---@field bad string|nil the word that is no option
---@field i boolean|nil enter interactive mode
---@field v boolean|nil show the version
---@field e boolean|nil a statement was given
---@field E boolean|nil ignore the environment

---@param words string[]
---@return panto.cli.LuaOptions
local function parse(words)
  local options = {}
  local i = 1
  while words[i] do
    local word = words[i]
    local letter = word:sub(2, 2)
    if word:sub(1, 1) ~= "-" or word == "-" then
      options.script = i
      return options
    elseif word == "--" then
      options.script = words[i + 1] and i + 1 or nil
      options.last = i
      return options
    elseif letter == "e" or letter == "l" then
      options.e = options.e or letter == "e"
      if #word == 2 then
        i = i + 1
        if not words[i] or words[i]:sub(1, 1) == "-" then
          options.bad = word
          return options
        end
      end
    elseif #word == 2 and letter:find("[EivW]") then
      options[letter] = true
      options.v = options.v or letter == "i"
    else
      options.bad = word
      return options
    end
    i = i + 1
  end
  return options
end

---@param word string
---@return integer exit_code
local function refuse(word)
  local letter = word:sub(2, 2)
  local needs = letter == "e" or letter == "l"
  local complaint = needs and "'%s' needs argument\n" or "unrecognized option '%s'\n"
  io.stderr:write("lua: ", complaint:format(word), USAGE)
  return 1
end

--- Names the executable that starts this interpreter again, "lua" when there is none.
---@return string
local function launcher()
  local file = env.path("rocks_tree") .. "/bin/lua"
  local handle = io.open(file, "rb")
  if not handle then
    return "lua"
  end
  handle:close()
  return file
end

--- Lets luv name this interpreter, not Python, as what a script may start again.
---@param file string
local function name_executable(file)
  local open = package.preload.luv
  package.preload.luv = function(...)
    local uv = open(...)
    uv.exepath = function()
      return file
    end
    return uv
  end
end

--- Sets the global `arg`: the script at 0, options and the launcher at negative places.
---@param words string[]
---@param script integer|nil
---@param file string the launcher
local function set_arg(words, script, file)
  local origin = script or 0
  local list = { [-origin] = file }
  if not script then
    list[0] = "lua"
  end
  for i, word in ipairs(words) do
    list[i - origin] = word
  end
  _G.arg = list
end

---@param words string[]
---@param limit integer the last word that is an option
---@return boolean ok
local function run_options(words, limit)
  local i = 1
  while i <= limit do
    local letter, rest = words[i]:match("^%-(.)(.*)$")
    if letter == "W" then
      warn("@on")
    elseif letter == "e" or letter == "l" then
      if rest == "" then
        i = i + 1
        rest = words[i]
      end
      local ok
      if letter == "e" then
        ok = run.text(rest, "=(command line)")
      else
        ok = run.library(rest)
      end
      if not ok then
        return false
      end
    end
    i = i + 1
  end
  return true
end

---@param words string[]
---@param options panto.cli.LuaOptions
---@return boolean ok
local function run_script(words, options)
  local name = words[options.script]
  if name == "-" and words[options.script - 1] ~= "--" then
    return run.file(nil, true)
  end
  return run.file(name, true)
end

-- The line editor and all below it are loaded only for someone who types.
local function talk()
  local is_typed = env.is_terminal(0) and env.is_terminal(1) and env.get("TERM") ~= "dumb"
  repl.run(is_typed and require("panto.cli.lua_lines").open() or nil)
end

-- The agent is loaded only for a script that requires "panto"; whoever asks gets the whole of it.
local function preload_public()
  local function load_public(name)
    package.preload[name] = nil -- now its own file is found
    local public = require("panto")
    package.preload[name] = load_public
    return require("panto.app.library").install(public)
  end
  package.preload.panto = load_public
end

---@param options panto.cli.LuaOptions
local function converse(options)
  if options.i then
    talk()
  elseif not (options.script or options.e or options.v) then
    if env.is_terminal(0) then
      print(VERSION)
      talk()
    else
      run.file(nil, false) -- its failure is reported, but lua's exit code is 0 all the same
    end
  end
end

--- Runs the interpreter with the words after `panto lua`.
---@param words string[]
---@return integer exit_code
---@return boolean|nil closable the state is to be closed, as lua does
function lua.run(words)
  local options = parse(words)
  if options.bad then
    return refuse(options.bad)
  end
  if options.v then
    print(VERSION)
  end
  os.setlocale("C", "ctype") -- Python has taken the environment's
  run.hide_host()
  run.set_search_paths(not options.E)
  local file = launcher()
  if file ~= "lua" then
    name_executable(file)
  end
  set_arg(words, options.script, file)
  preload_public()
  collectgarbage("generational")
  local limit = options.last or (options.script and options.script - 1 or #words)
  local ok = (options.E or run.init())
    and run_options(words, limit)
    and (not options.script or run_script(words, options))
  if ok then
    converse(options)
  end
  return ok and 0 or 1, shims.is_idle()
end

return lua
