-- Panto's terminal lent to something else for a while: the shell of Ctrl+Z, a command of os.execute.

local log_file = require("panto.app.log_file")
local resizing = require("panto.app.resizing")

local loan = {}

--- Gives the terminal back as it was, calls a function, and takes the terminal again.
---@param app panto.App
---@param fn function
---@param ... any its arguments
---@return any ... its results
function loan.run(app, fn, ...)
  app.screen:suspend()
  resizing.finish(app)
  app.term:pause()
  local _ <close> = setmetatable({}, {
    __close = function()
      app.term:resume()
      app.term:write(app.modes:start())
      app.term:on_restore(app.modes:stop())
      app.screen:resume()
      app.attention:show()
      app.screen:resize(app.term.cols, app.term.rows)
      app.frame:mark()
    end,
  })
  return fn(...)
end

local function quote(path)
  return "'" .. path:gsub("'", "'\\''") .. "'"
end

--- Lends the terminal to each command of os.execute; what one of io.popen writes besides its pipe
--- goes to the log. Returns what undoes that.
---@param app panto.App
---@return fun() restore
function loan.watch(app)
  local execute, popen = os.execute, io.popen
  os.execute = function(command) -- luacheck: ignore 122
    if command == nil then
      return execute()
    end
    return loan.run(app, execute, command)
  end
  io.popen = function(command, mode, ...) -- luacheck: ignore 122
    if type(command) == "string" then
      local taken = mode == "w" and ">>%s 2>&1" or "2>>%s"
      command = ("exec %s\n%s"):format(taken:format(quote(log_file.path())), command)
    end
    return popen(command, mode, ...)
  end
  return function()
    os.execute, io.popen = execute, popen -- luacheck: ignore 122
  end
end

return loan
