-- A wait outside of every task: a script's main chunk stands still while the loop runs.

local uv = require("luv")

local blocking = {}

--- Tells whether the caller may wait here: the main chunk, and not a callback of the loop.
---@return boolean
function blocking.is_possible()
  local _, is_main = coroutine.running()
  return is_main and not uv.loop_mode()
end

--- Runs the loop until `resume(...)` is called; returns what it was called with.
---@param start fun(resume: fun(...)): fun()?
---@return ...
function blocking.wait(start)
  local values
  start(function(...)
    values = values or table.pack(...)
  end)
  while not values do
    uv.run("once")
    if not values and not uv.loop_alive() then
      error("this waits for something that can never happen", 0)
    end
  end
  return table.unpack(values, 1, values.n)
end

return blocking
