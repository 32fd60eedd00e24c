-- Prints what an event costs that twenty handlers get, and a query over many paths.
-- usage: panto lua extras.lua PATHS

local accounting = require("panto.ext.accounting")
local bus = require("panto.ext.bus")
local fuzzy = require("panto.app.files.fuzzy")

local HANDLERS, EVENTS = 20, 20000

local function handlers_us()
  local events = bus.new()
  for _ = 1, HANDLERS do
    events:on("assistant_text_delta", function(e)
      return e.delta
    end, { entry = "x", source = "y", account = accounting.new():get("x") })
  end
  local before = os.clock()
  for _ = 1, EVENTS do
    events:emit("assistant_text_delta", { index = 1, delta = "abc" })
  end
  return (os.clock() - before) / EVENTS * 1e6
end

local function queries_ms(count)
  local paths = {}
  for i = 1, count do
    paths[i] = ("packages/aaaaaaaa/module_%05d/aaaaaaaaaaaaaaaa/index.lua"):format(i)
  end
  local queries, most = { "a", "aaaaaaaaz", "index", "m12345", "pmil" }, 0
  local finder = fuzzy.new(paths)
  local total = 0
  for _, query in ipairs(queries) do
    local before = os.clock()
    finder:find(query, 50)
    local took = (os.clock() - before) * 1000
    total, most = total + took, math.max(most, took)
  end
  return total / #queries, most
end

io.write("handlers_us ", handlers_us(), "\n")
local mean, most = queries_ms(math.tointeger(tonumber(arg[1])))
io.write("query_ms ", mean, "\nlongest_ms ", most, "\n")
