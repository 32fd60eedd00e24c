-- Decodes and encodes every line of a file; prints seconds of CPU of each.
-- usage: panto lua json_rate.lua FILE

local json = require("panto.base.json")

local lines = {}
for line in io.lines(arg[1]) do
  lines[#lines + 1] = line
end

local function seconds(call, items)
  local made = {}
  collectgarbage()
  local before = os.clock()
  for i = 1, #items do
    made[i] = assert(call(items[i]))
  end
  return os.clock() - before, made
end

local decoding, values = seconds(json.decode, lines)
local encoding = seconds(json.encode, values)
io.write("decode ", decoding, "\n")
io.write("encode ", encoding, "\n")
