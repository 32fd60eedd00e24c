-- The environment and the folders that panto was started with.

local host = require("panto.host")

local env = {}

local redirected = {}

--- Reads an environment variable; nil when it is not set.
---@param name string
---@return string?
function env.get(name)
  return os.getenv(name)
end

--- Returns one of panto's folders.
---@param name "data_home"|"config_home"|"state_home"|"sessions"|"cache"|"lua_root"|"rocks_tree"|"rocks_pins"|"python"
---@return string
function env.path(name)
  return redirected[name] or assert(host.path(name))
end

--- Sets folders that count instead of panto's own; returns the former ones.
---@param folders table<string, string> by their names
---@return table<string, string> former
function env.set_folders(folders)
  local former = redirected
  redirected = folders
  return former
end

--- Returns panto's version.
---@return string
function env.version()
  return host.version()
end

--- Returns the words of the command line after the program's name.
---@return string[]
function env.words()
  local words = {}
  for i = 1, host.argc() do
    words[i] = host.argv(i)
  end
  return words
end

--- Leaves the process: terminal restored, output flushed, never to return.
---@param code integer
function env.exit(code)
  host.exit(code)
end

--- Brings the rocks tree in line, with progress on stderr.
---@param force boolean wipe the tree first
---@return integer exit_code
function env.bootstrap(force)
  return host.bootstrap(force)
end

--- Tells whether a file descriptor is a terminal.
---@param fd integer
---@return boolean
function env.is_terminal(fd)
  return host.isatty(fd)
end

return env
