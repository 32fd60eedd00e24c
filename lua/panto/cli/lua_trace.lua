-- The traceback of `panto lua`: luaL_traceback's text for a stack whose bottom is the user's chunk;
-- panto's own functions above it look like the C functions that they stand for.

local getinfo, traceback = debug.getinfo, debug.traceback
local running = coroutine.running

local FIRST, LAST = 10, 11 -- levels that are shown of a long stack
local OWN_FILES = debug.getinfo(1, "S").source:gsub("cli/lua_trace%.lua$", "")

---@class panto.cli.Stack
---@field foreign integer levels of the main thread that are the interpreter's own
local Stack = {}
Stack.__index = Stack

local lua_trace = {}

--- Makes the view of the main thread's stack.
---@return panto.cli.Stack
function lua_trace.new()
  return setmetatable({ foreign = 0 }, Stack)
end

-- The number of levels from the caller of `count` to the bottom; a stack may have a million.
local function count()
  local low, high = 1, 2
  while getinfo(high, "l") do
    low, high = high, high * 2
  end
  while low + 1 < high do
    local middle = (low + high) // 2
    if getinfo(middle, "l") then
      low = middle
    else
      high = middle
    end
  end
  return low
end

local function find_name(fn)
  for module, value in next, package.loaded do
    if value == fn and type(module) == "string" then
      return module
    elseif type(value) == "table" and type(module) == "string" then
      for key, field in next, value do
        if rawequal(field, fn) and type(key) == "string" then
          return module == "_G" and key or module .. "." .. key
        end
      end
    end
  end
  return nil
end

local function describe(info, is_native)
  local name = find_name(info.func)
  if name then
    return ("function '%s'"):format(name)
  elseif info.namewhat ~= "" then
    return ("%s '%s'"):format(info.namewhat, info.name)
  elseif info.what == "main" then
    return "main chunk"
  elseif is_native then
    return "?"
  end
  return ("function <%s:%d>"):format(info.short_src, info.linedefined)
end

local function is_own(info)
  return info.source:sub(1, #OWN_FILES) == OWN_FILES
end

local function line_of(info)
  local is_native = info.what == "C" or is_own(info)
  local place = is_native and "[C]" or info.short_src
  if not is_native and info.currentline > 0 then
    place = place .. ":" .. info.currentline
  end
  local tail = info.istailcall and "\n\t(...tail calls...)" or ""
  return ("\n\t%s: in %s%s"):format(place, describe(info, is_native), tail)
end

-- Where a function of panto stands in for a library's, what it called is not shown.
local function first_level(level, last)
  local first = level
  for above = level, math.min(level + 3, last - 1) do
    if is_own(getinfo(above, "S")) then
      first = above
    end
  end
  return first
end

--- Counts the caller's level and all below it as the interpreter's, and one more for its xpcall.
---@return integer before what to give to `leave`
function Stack:enter()
  local before = self.foreign
  self.foreign = count() - 1 -- this function's own level stands for xpcall's
  return before
end

--- Ends what `enter` began.
---@param before integer
function Stack:leave(before)
  self.foreign = before
end

--- Renders a message and the stack from a level on, 1 being the caller.
---@param message string|nil
---@param level integer
---@return string
function Stack:render(message, level)
  local last = count() - self.foreign
  local parts = { message and message .. "\n" or "", "stack traceback:" }
  level = first_level(level + 2, last + 1) - 1
  local skip = last - level > FIRST + LAST and level + FIRST or nil
  while level < last do
    if level == skip then
      local skipped = last - level - LAST
      parts[#parts + 1] = ("\n\t...\t(skipping %d levels)"):format(skipped)
      level = level + skipped + 1
    else
      parts[#parts + 1] = line_of(getinfo(level, "Slntf"))
      level = level + 1
    end
  end
  parts[#parts + 1] = "\n\t[C]: in ?"
  return table.concat(parts)
end

--- Puts a traceback into the debug library that ends where the user's chunk begins.
function Stack:install()
  debug.traceback = function(...) -- luacheck: ignore 122
    local thread, message, level = ...
    if type(thread) ~= "thread" then
      thread, message, level = running(), thread, message
    end
    local current, is_main = running()
    local is_text = message == nil or type(message) == "string" or type(message) == "number"
    if thread ~= current or not is_text or not math.tointeger(level or 1) then
      return traceback(...)
    elseif not is_main then
      local text = traceback(message, math.tointeger(level or 1) + 1)
      return text
    end
    -- not a tail call, which would leave no level of this function
    local text = self:render(message and tostring(message), math.tointeger(level or 1) + 1)
    return text
  end
end

return lua_trace
