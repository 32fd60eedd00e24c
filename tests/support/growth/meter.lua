-- Counts what a piece of work does, the same on any machine however busy: Lua instructions in all
-- coroutines, bytes allocated, bytes that string functions walked over or tables moved, bytes read
-- and written. To be loaded before the modules that are measured: they take what stands here.

local STEP = 100
local MOST_KILOBYTES = 1024 * 1024

local meter = {}

local counts = { instructions = 0, walked = 0 }
local create, sethook = coroutine.create, debug.sethook

-- Nothing is freed meanwhile: work that never ends must not take the machine's memory with it.
local function tick()
  counts.instructions = counts.instructions + STEP
  if counts.instructions % 1000000 == 0 and collectgarbage("count") > MOST_KILOBYTES then
    io.stderr:write("the work takes more than 1 GB\n")
    os.exit(1)
  end
end

-- Every coroutine has a hook of its own.
function coroutine.create(fn) -- luacheck: ignore 122
  local co = create(fn)
  sethook(co, tick, "", STEP)
  return co
end

function coroutine.wrap(fn) -- luacheck: ignore 122
  local co = coroutine.create(fn)
  local function finish(ok, ...)
    if not ok then
      error((...), 0)
    end
    return ...
  end
  return function(...)
    return finish(coroutine.resume(co, ...))
  end
end

-- The watch on extensions would take the counting hook away.
function debug.sethook() end -- luacheck: ignore 122

local function walk(bytes)
  counts.walked = counts.walked + math.max(1, bytes)
end

local find = string.find

-- What a search has gone through: up to the match's end; a pattern bound to its place gives up there.
local function charge(text, pattern, from, plain)
  from = from or 1
  if from < 0 then
    from = math.max(1, #text + from + 1)
  end
  local _, last = find(text, pattern, from, plain)
  if last then
    walk(last - from + 1)
  elseif plain or pattern:byte() ~= 94 then
    walk(#text - from + 1)
  end
end

for _, name in ipairs({ "find", "match" }) do
  local original = string[name]
  string[name] = function(text, pattern, from, plain) -- luacheck: ignore 122
    if type(text) == "string" then
      charge(text, pattern, from, name == "find" and plain)
    end
    return original(text, pattern, from, plain)
  end
end

-- Whole passes over their first argument.
for name, place in pairs({ gsub = string, gmatch = string, byte = string, len = utf8 }) do
  local original = place[name]
  place[name] = function(text, a, b, ...)
    if type(text) == "string" and (place ~= string or name ~= "byte") then
      walk(type(a) == "number" and (b or #text) - a + 1 or #text)
    end
    return original(text, a, b, ...)
  end
end

-- Moves within tables.
local insert, remove, move, unpack = table.insert, table.remove, table.move, table.unpack
function table.insert(list, ...) -- luacheck: ignore 122
  if select("#", ...) == 2 then
    walk(8 * (#list - (...) + 1))
  end
  return insert(list, ...)
end
function table.remove(list, at) -- luacheck: ignore 122
  walk(8 * (#list - (at or #list)))
  return remove(list, at)
end
function table.move(list, first, last, ...) -- luacheck: ignore 122
  walk(8 * (last - first + 1))
  return move(list, first, last, ...)
end
function table.unpack(list, first, last) -- luacheck: ignore 122
  walk(8 * ((last or #list) - (first or 1) + 1))
  return unpack(list, first, last)
end

-- Bytes that the process has read and written; none where the system does not tell.
local function io_bytes()
  local file = io.open("/proc/self/io", "rb")
  if not file then
    return 0
  end
  local text = file:read("a")
  file:close()
  local read = text:match("rchar: (%d+)")
  local written = text:match("wchar: (%d+)")
  return tonumber(read) + tonumber(written)
end

local collect = collectgarbage

-- Nothing is freed while it is measured, so what was allocated is what is there.
function collectgarbage(option, ...) -- luacheck: ignore 121
  if option == "count" then
    return collect("count")
  end
  return option and option ~= "collect" and collect(option, ...) or 0
end

--- Calls `work(state)` and returns what that took.
---@param work function
---@param state any
---@return table<string, number>
function meter.measure(work, state)
  collect("collect")
  collect("stop")
  sethook(tick, "", STEP)
  local io_before, kilobytes = io_bytes(), collect("count")
  local instructions, walked = counts.instructions, counts.walked
  work(state)
  local cost = {
    instructions = counts.instructions - instructions,
    walked = counts.walked - walked,
    allocated = (collect("count") - kilobytes) * 1024,
    io = io_bytes() - io_before,
  }
  sethook()
  collect("restart")
  return cost
end

return meter
