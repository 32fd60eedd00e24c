-- Puts a wall around luv callbacks: an error in one is reported instead of ending the process
-- with 255 past every clean-up.

local guard = {}

-- Their functions run in other threads or states and are copied as bytecode.
local FOREIGN = { new_thread = true, queue_work = true }

--- Turns any error object into text, as lua's own message handler does.
---@param problem any
---@return string
function guard.show(problem)
  if type(problem) == "string" then
    return problem
  end
  local meta = getmetatable(problem)
  if type(meta) == "table" and meta.__tostring then
    return tostring(problem)
  end
  return ("(error object is a %s value)"):format(type(problem))
end

local function trace(problem)
  return debug.traceback(guard.show(problem), 2)
end

local function settle(ok, ...)
  if ok then
    return ...
  end
  io.stderr:write("panto: error in a luv callback: ", (...), "\n")
end

---@param callback function
---@return function
local function shielded(callback)
  return function(...)
    return settle(xpcall(callback, trace, ...))
  end
end

local function is_callable(value)
  if type(value) == "table" then
    local meta = getmetatable(value)
    return type(meta) == "table" and meta.__call ~= nil
  end
  return type(value) == "function"
end

---@param target function a luv function
---@param first integer the first argument that may be a callback of this state
---@return function
local function patched(target, first)
  return function(...)
    for i = first, select("#", ...) do
      if is_callable((select(i, ...))) then
        local arguments = table.pack(...)
        for j = i, arguments.n do
          if is_callable(arguments[j]) then
            arguments[j] = shielded(arguments[j])
          end
        end
        return target(table.unpack(arguments, 1, arguments.n))
      end
    end
    return target(...)
  end
end

---@param functions table<string, any>
---@param seen table<function, function>
local function patch_all(functions, seen)
  for name, value in pairs(functions) do
    if type(value) == "function" and not FOREIGN[name] then
      seen[value] = seen[value] or patched(value, name == "new_work" and 2 or 1)
      functions[name] = seen[value]
    end
  end
end

--- Wraps every function of luv and every method of its handles.
---@param uv table the luv module
---@return table uv the same table
function guard.install(uv)
  local seen = {}
  patch_all(uv, seen)
  for key, meta in pairs(debug.getregistry()) do
    if type(key) == "string" and key:find("^uv_") and type(meta) == "table" then
      local methods = rawget(meta, "__index")
      if type(methods) == "table" then
        patch_all(methods, seen)
      end
    end
  end
  return uv
end

--- Arranges that the first require("luv") loads luv guarded.
function guard.preload()
  package.preload.luv = function(name)
    local file, tried = package.searchpath(name, package.cpath)
    if not file then
      error(("module '%s' not found:%s"):format(name, tried), 0)
    end
    local open, message = package.loadlib(file, "luaopen_luv")
    if not open then
      error(("error loading module '%s' from file '%s':\n\t%s"):format(name, file, message), 0)
    end
    return guard.install(open(name, file))
  end
end

return guard
