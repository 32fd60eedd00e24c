-- Chunks of `panto lua`: loads and calls them, errors reported on stderr in lua's own form.

local interrupt = require("panto.sys.interrupt")
local trace = require("panto.cli.lua_trace")

local lua_run = {}

local stack = trace.new()

-- What lua.c's message handler makes of an error object.
local function describe(problem)
  if interrupt.take() then
    problem = "interrupted!" -- what was raised is any value
  end
  if type(problem) ~= "string" and type(problem) ~= "number" then
    local meta = debug.getmetatable(problem)
    local convert = type(meta) == "table" and meta.__tostring
    local text = convert and convert(problem)
    if type(text) == "string" then
      return text
    end
    problem = ("(error object is a %s value)"):format(type(problem))
  end
  local message = tostring(problem):match("^[^\0]*")
  local text = stack:render(message, 2) -- no tail call: this level is counted
  return text
end

local function settle(before, ...)
  stack:leave(before)
  return ...
end

--- Calls a function; its error comes back as a message with a traceback.
---@param chunk function
---@param ... any
---@return boolean ok, any ...
function lua_run.call(chunk, ...)
  local before = stack:enter()
  return settle(before, xpcall(chunk, describe, ...))
end

--- Makes debug.traceback end where the user's code begins.
function lua_run.hide_host()
  stack:install()
end

--- Writes a message to stderr behind the interpreter's name; it ends at its first zero byte.
---@param message string
---@return boolean ok false, for the caller to return
function lua_run.report(message)
  io.stdout:flush()
  io.stderr:write("lua: ", message:match("^[^\0]*"), "\n")
  return false
end

---@param chunk function|nil
---@param message string|nil why there is no chunk
---@param ... any
---@return boolean ok
local function finish(chunk, message, ...)
  if not chunk then
    return lua_run.report(message)
  end
  local ok, problem = lua_run.call(chunk, ...)
  return ok or lua_run.report(problem)
end

--- Runs a piece of source text.
---@param source string
---@param name string the chunk's name
---@return boolean ok
function lua_run.text(source, name)
  local chunk, message = load(source, name)
  return finish(chunk, message)
end

--- Runs a file, or standard input.
---@param name string|nil nil is standard input
---@param with_arguments boolean hand the global `arg` over as arguments
---@return boolean ok
function lua_run.file(name, with_arguments)
  local chunk, message = loadfile(name)
  if not with_arguments then
    return finish(chunk, message)
  end
  local list = _G.arg
  if type(list) ~= "table" then
    return lua_run.report("'arg' is not a table")
  end
  return finish(chunk, message, table.unpack(list))
end

--- Requires a module into a global: "mod" or "global=mod".
---@param word string
---@return boolean ok
function lua_run.library(word)
  local global, module = word:match("^([^=]*)=(.*)$")
  if not global then
    global, module = word:match("^[^-]*"), word
  end
  local ok, value = lua_run.call(require, module)
  if not ok then
    return lua_run.report(value)
  end
  _G[global] = value
  return true
end

--- Runs what LUA_INIT_5_4 or LUA_INIT says.
---@return boolean ok
function lua_run.init()
  for _, name in ipairs({ "LUA_INIT_5_4", "LUA_INIT" }) do
    local value = os.getenv(name)
    if value then
      if value:sub(1, 1) == "@" then
        return lua_run.file(value:sub(2), false)
      end
      return lua_run.text(value, "=" .. name)
    end
  end
  return true
end

---@param name string LUA_PATH or LUA_CPATH
---@param default string
---@return string
local function from_environment(name, default)
  local value = os.getenv(name .. "_5_4") or os.getenv(name)
  if not value then
    return default
  end
  local before, after = value:match("^(.-);;(.*)$")
  if not before then
    return value
  end
  local parts = {}
  for _, part in ipairs({ before, default, after }) do
    if part ~= "" then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, ";")
end

--- Lets modules be found in the current folder, as lua does, and where the environment says.
---@param use_environment boolean
function lua_run.set_search_paths(use_environment)
  package.path = package.path .. ";./?.lua;./?/init.lua"
  package.cpath = package.cpath .. ";./?.so"
  if use_environment then
    local own = package.path
    package.path = from_environment("LUA_PATH", own)
    package.cpath = from_environment("LUA_CPATH", package.cpath)
  end
end

return lua_run
