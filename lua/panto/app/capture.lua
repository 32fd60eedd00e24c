-- While the screen is panto's, what Lua code prints goes into the transcript instead of over it.

local capture = {}

local function joined(separator, ...)
  local pieces = {}
  for i = 1, select("#", ...) do
    pieces[i] = tostring((select(i, ...)))
  end
  return table.concat(pieces, separator)
end

--- Sends io.write and print to `show`; returns a function that puts them back.
---@param show fun(text: string)
---@return fun() restore
function capture.start(show)
  local write, echo = io.write, print
  io.write = function(...)
    show(joined("", ...))
    return io.stdout
  end
  print = function(...) -- luacheck: ignore 121
    show(joined("\t", ...) .. "\n")
  end
  return function()
    io.write, print = write, echo -- luacheck: ignore 121
  end
end

return capture
