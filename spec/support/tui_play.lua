-- Plays a random transcript through the screen and writes what a test needs to judge the frames:
-- records `W bytes`, `R cols rows`, and at the end `E lines` with all lines that must be there.
-- `lua5.4 spec/support/tui_play.lua SEED COLS ROWS FRAMES resize|fixed reflow|cut`
local root = arg[0]:match("^(.*/)spec/support/tui_play%.lua$") or "./"
package.path = root .. "lua/?.lua;" .. root .. "lua/?/init.lua;" .. package.path

local screen = require("panto.tui.screen")
local text_component = require("panto.tui.components.text")

local seed, cols, rows, frames =
  tonumber(arg[1]), tonumber(arg[2]), tonumber(arg[3]), tonumber(arg[4])
local does_resize, reflow = arg[5] == "resize", arg[6] ~= "cut"
math.randomseed(seed)

local bytes_written, bytes_of_text = 0, 0
local function write(bytes)
  bytes_written = bytes_written + #bytes
  io.stdout:write("W ", #bytes, "\n", bytes)
end

local WORDS = {
  "a",
  "bee",
  "wörter",
  "中文字",
  "\27[31mred\27[0m",
  "longlonglonglongword",
  "x\ty",
  "é",
  "-",
}
local function words(count)
  local list = {}
  for index = 1, count do
    list[index] = WORDS[math.random(#WORDS)]
  end
  return table.concat(list, " ")
end

local view = screen.new({ cols = cols, rows = rows, write = write, reflow = reflow })
local finished, block = {}, nil
local counter = 0

local function finish(lines)
  view:append(lines)
  table.move(lines, 1, #lines, #finished + 1, finished)
end

-- One random change of the transcript.
local function step()
  local choice = math.random(6)
  if choice == 1 then
    local lines = {}
    for index = 1, math.random(0, math.random(3) == 1 and 3 * rows or 3) do
      counter = counter + 1
      lines[index] = "line " .. counter
    end
    finish(lines)
  elseif choice <= 4 then
    block = block or text_component.new()
    local delta = words(math.random(0, 8)) .. (math.random(3) == 1 and "\n" or " ")
    bytes_of_text = bytes_of_text + #delta
    while delta ~= "" do
      local count = math.random(#delta)
      block:add(delta:sub(1, count))
      delta = delta:sub(count + 1)
    end
    finish(block:take(cols))
  elseif choice == 5 and block then
    block:finish()
    finish(block:take(cols))
    block = nil
  end
end

local function live_lines()
  local lines = block and block:render(cols) or {}
  for _ = 1, math.random(0, 3) do
    lines[#lines + 1] = "spin " .. math.random(3)
  end
  lines[#lines + 1] = ("="):rep(cols)
  for index = 1, math.random(1, math.random(8) == 1 and rows + 4 or 4) do
    lines[#lines + 1] = "draft " .. index .. ("."):rep(math.random(0, 2))
  end
  lines[#lines + 1] = "foot" .. math.random(3)
  return lines
end

for _ = 1, frames do
  step()
  if does_resize and math.random(5) == 1 then
    cols = math.random(12, 60)
    io.stdout:write("R ", cols, " ", rows, "\n")
    view:resize(cols, rows)
  end
  if math.random(4) > 1 then
    local live = live_lines()
    local cursor = math.random(5) > 1 and { row = math.random(#live), col = math.random(cols) }
      or nil
    view:draw(live, cursor)
  end
end
local live = { ("="):rep(cols), "draft", "foot" }
view:draw(live, { row = 2, col = 3 })
io.stderr:write(bytes_written, " bytes for ", bytes_of_text, " of text\n")

table.move(live, 1, #live, #finished + 1, finished)
io.stdout:write("E ", #finished, "\n")
for _, line in ipairs(finished) do
  io.stdout:write((line:gsub("\27%[[%d;]*m", "")), "\n")
end
