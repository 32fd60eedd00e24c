-- Plays random conversations through transcript and screen, and writes what a test judges them by:
-- records `W bytes`, `R cols rows`, and at the end `E lines` with all lines that must be there.
-- `wild` adds `L line` for a line that is finished now and `B bytes`, the most that the frame
-- before it may have, and writes `-- ` numbers into the prose that must come out once, in order.
-- `panto lua spec/support/transcript_play.lua SEED COLS ROWS fixed|resize simple|all|wild`
local screen = require("panto.tui.screen")
local style = require("panto.tui.style")
local text = require("panto.sys.text")
local transcript = require("panto.app.transcript")

local seed, cols, rows = tonumber(arg[1]), tonumber(arg[2]), tonumber(arg[3])
local does_resize, is_wild = arg[4] == "resize", arg[5] == "wild"
local is_all = is_wild or arg[5] == "all"
math.randomseed(seed)

local function write(bytes)
  io.stdout:write("W ", #bytes, "\n", bytes)
end

local function without_styles(line)
  return (line:gsub("\27%[[%d;]*m", ""))
end

local WORDS = {
  "a",
  "word",
  "wörter",
  "中文字",
  "é",
  "**bold**",
  "*it*",
  "`code`",
  "**open",
  "[link](https://a.b/c)",
  "e\u{301}x",
  "x\ty",
  "\27[31mred\27[0m",
  "\27]0;title\7",
  "\27[2J\27[H",
  "\27P1$r\27\\",
  "\r",
  "\8",
  "longlonglonglonglonglonglonglongword",
}
local WILD = {
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "👍🏽",
  "❤️",
  "n\u{303}\u{301}\u{302}",
  "\u{200B}",
  "각",
}
-- What tools print: colours that stay, and much that may not.
local FOREIGN = {
  "\27[1;4;38;2;9;99;200mstyled\27[0m",
  "\27[31mleft on",
  "\27[5A",
  "\27[3;7H",
  "\27[2K\27[1G",
  "\27[?1049h",
  "\27[?25l",
  "\27[6n",
  "\27c",
  "\27(0",
  "\27]52;c;aGk=\7",
  "\27]8;;https://a.b\27\\label\27]8;;\27\\",
  "50%\r100%",
  "\0",
  "\127",
  "\u{9B}31m",
  "\u{202E}abc\u{202C}",
  "\xFF\xFE",
  "\xE4\xB8",
}
local LINES = {
  "# Title",
  "- item",
  "  - inner",
  "1. first",
  "> quote",
  "```lua",
  "local x = { 1, 'two' } -- three",
  "```",
  "| a | b |",
  "|---|--:|",
  "| one | 中文 |",
  "---",
  "",
  "",
}

local function words(count)
  local list = {}
  for index = 1, count do
    local source = is_all and math.random(4) == 1 and WILD or WORDS
    list[index] = source[math.random(#source)]
  end
  return table.concat(list, " ")
end

-- A line of 10,000 columns: one word, wide characters, clusters, or words.
local function long_line()
  local parts = { "x", "中", "👩‍👩‍👧‍👦", "e\u{301}", "word 😀 " }
  local part = parts[math.random(#parts)]
  return part:rep(10000 // text.width(part))
end

local number = 0
-- Numbered words of prose; a blank line before and after keeps them out of tables and code.
local function numbered()
  local list = {}
  for index = 1, math.random(1, 8) do
    number = number + 1
    list[index] = ("%s w%d."):format(words(1), number)
  end
  return "\n" .. table.concat(list, " ") .. "\n"
end

local function wild_markdown()
  local list = {}
  for _ = 1, math.random(1, 6) do
    list[#list + 1] = numbered()
    list[#list + 1] = LINES[math.random(#LINES)]
    list[#list + 1] = words(math.random(0, 14))
  end
  return table.concat(list, "\n") .. "\n"
end

local function markdown()
  local list = {}
  for index = 1, math.random(1, 12) do
    list[index] = math.random(2) == 1 and LINES[math.random(#LINES)] or words(math.random(0, 14))
  end
  return table.concat(list, "\n") .. "\n"
end

local function foreign()
  return is_wild and FOREIGN[math.random(#FOREIGN)] or ""
end

local function output()
  local list = {}
  for index = 1, math.random(0, 14) do
    list[index] = words(math.random(0, 10)) .. foreign() .. words(1)
  end
  if math.random(4) == 1 then
    list[#list + 1] = is_wild and long_line() or ("wide "):rep(2000)
  end
  return table.concat(list, "\n")
end

local theme = style.new({ depth = "256" })
local function new_transcript()
  return transcript.new({
    theme = theme,
    changed = function() end,
    report = error,
    is_focused = function()
      return false
    end,
  })
end
local shown, plain = new_transcript(), new_transcript()
local view = screen.new({ cols = cols, rows = rows, write = write, reflow = false })
local finished = {}

local function emit(into, name, payload)
  into:close(name, payload, into:open(name, payload))
end

local function both(name, payload)
  emit(shown, name, payload)
  emit(plain, name, payload)
end

local function live_lines()
  local lines = shown:render(cols)
  local gap = #lines
  for _ = 1, math.random(0, 2) do
    lines[#lines + 1] = "spin"
  end
  lines[#lines + 1] = ("="):rep(cols)
  for index = 1, math.random(1, 3) do
    lines[#lines + 1] = "draft " .. index .. (is_wild and words(9) .. foreign() or "")
  end
  lines[#lines + 1] = "foot"
  return lines, gap
end

local function take()
  local lines = shown:take(cols)
  for _, line in ipairs(lines) do
    assert(text.width(line) <= cols, "too wide: " .. line)
  end
  view:append(lines)
  table.move(lines, 1, #lines, #finished + 1, finished)
  return lines
end

local function bytes_of(lines)
  return #table.concat(lines) + 24 * #lines
end

-- Each row that is written is written once: those that are finished, and the live ones.
local function draw_wild(lines, cursor, gap, fresh)
  for _, line in ipairs(fresh) do
    local bare = without_styles(line)
    io.stdout:write("L ", #bare, "\n", bare)
  end
  if view:draw(lines, cursor, gap) then
    io.stdout:write("B ", 128 + bytes_of(fresh) + bytes_of(view.shown), "\n")
  end
  assert(not view:draw(lines, cursor, gap), "a frame without a change was written")
end

local function draw()
  if does_resize and math.random(6) == 1 then
    -- What is live when it is pushed off the top stays there; wild plays only push what is finished.
    local least = is_wild and #view.shown + 1 or 5
    cols, rows = math.random(8, 70), math.random(least, least + 19)
    io.stdout:write("R ", cols, " ", rows, "\n")
    view:resize(cols, rows)
  end
  local fresh = take()
  local lines, gap = live_lines()
  if is_wild then
    draw_wild(lines, { row = #lines - 1, col = 2 }, gap, fresh)
  else
    view:draw(lines, { row = #lines - 1, col = 2 }, gap)
  end
end

-- The pieces go to the one that is shown, the whole to the plain one.
local function stream(name, whole, payload)
  local at = 1
  local most = #whole > 4000 and 2000 or 40
  while at <= #whole do
    local count = math.random(most)
    payload.delta = whole:sub(at, at + count - 1)
    emit(shown, name, payload)
    at = at + count
    if math.random(3) == 1 then
      draw()
    end
  end
  payload.delta = whole
  emit(plain, name, payload)
end

local function play_text()
  both("assistant_text", {})
  local whole = is_wild and wild_markdown() or markdown()
  if is_wild and math.random(5) == 1 then
    whole = whole .. "\n" .. long_line() .. "\n"
  end
  stream("assistant_text_delta", whole, {})
  both("assistant_text_complete", {})
end

local function play_thinking()
  both("thinking", {})
  stream("thinking_delta", words(20), {})
  both("thinking_complete", {})
end

local calls = 0
local function play_tool()
  calls = calls + 1
  local name = math.random(2) == 1 and "std.shell" or "std.read"
  local call = { id = "c" .. calls, tool_name = name, input = { path = words(3) } }
  both("tool", call)
  both("tool_details", call)
  stream("tool_progress", output(), { id = call.id })
  both("tool_result", { id = call.id, output = output(), is_error = math.random(4) == 1 })
end

both("turn_start", {})
for _ = 1, 8 do
  local choice = math.random(6)
  if choice <= 3 then
    play_text()
  elseif choice == 4 then
    play_tool()
  elseif choice == 5 then
    play_thinking()
  else
    both("user_message", { text = words(math.random(1, 20)) })
  end
  draw()
end
both("turn_end", { status = "done" })
local fresh = take()
local live = { ("="):rep(cols), "draft", "foot" }
if is_wild then
  draw_wild(live, { row = 2, col = 3 }, 0, fresh)
else
  view:draw(live, { row = 2, col = 3 }, 0)
end

local expected = does_resize and finished or plain:take(cols)
for _ = 1, #view.shown - #live do
  expected[#expected + 1] = ""
end
table.move(live, 1, #live, #expected + 1, expected)
io.stdout:write("E ", #expected, "\n")
for _, line in ipairs(expected) do
  io.stdout:write(without_styles(line), "\n")
end
