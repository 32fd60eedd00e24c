-- Turns the host's sealed primitives into plain Lua functions: only scalars go down, a failed
-- seal becomes a Lua error at the caller.

local bridge = {}

local SCALAR = { ["nil"] = true, boolean = true, number = true, string = true }

---@param name string
---@param ... any
local function check(name, ...)
  for i = 1, select("#", ...) do
    local kind = type((select(i, ...)))
    if not SCALAR[kind] then
      error(("host.%s: argument %d is a %s; only scalars cross"):format(name, i, kind), 3)
    end
  end
end

---@param ok boolean
---@param ... any
---@return any ...
local function answer(ok, ...)
  if ok then
    return ...
  end
  error((...), 2)
end

--- Wraps one primitive; the call in tail position makes `answer` blame the caller.
---@param name string
---@param primitive function
---@return function
local function wrapper(name, primitive)
  return function(...)
    check(name, ...)
    return answer(primitive(...))
  end
end

--- Wraps every primitive of a table by name.
---@param raw table<string, function> sealed Python functions
---@return table<string, function> host
function bridge.wrap(raw)
  local host = {}
  for name, primitive in pairs(raw) do
    host[name] = wrapper(name, primitive)
  end
  return host
end

return bridge
