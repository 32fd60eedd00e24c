-- What Python calls in a fresh state: takes the primitives, mends the libraries, runs one file.

local boot = {}

local primitives = {}

--- Takes one sealed primitive of the host.
---@param name string
---@param primitive function
function boot.register(name, primitive)
  primitives[name] = primitive
end

--- Sets the search paths, publishes panto.host and mends the standard library.
---@param path string
---@param cpath string
function boot.install(path, cpath)
  python, package.loaded.python = nil, nil
  package.path, package.cpath = path, cpath
  local host = require("panto.sys.bridge").wrap(primitives)
  package.loaded["panto.host"] = host
  require("panto.sys.shims").install(host)
  require("panto.sys.guard").preload()
end

---@param problem any
---@return { [1]: string, [2]: string } message and traceback
local function describe(problem)
  local message = require("panto.sys.guard").show(problem)
  return { message, debug.traceback(message, 2) }
end

--- Runs the file that has the word from now on; it returns the exit code and whether to close.
---@param file string
---@return boolean ok
---@return integer|string code_or_message
---@return boolean|string closable_or_traceback closable: the state may be closed
function boot.run(file)
  local chunk, message = loadfile(file)
  if not chunk then
    return false, message, message
  end
  local ok, result, closable = xpcall(chunk, describe)
  if not ok then
    return false, result[1], result[2]
  end
  return true, math.tointeger(result) or 0, closable == true
end

return boot
