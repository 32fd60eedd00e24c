-- A small program on a real terminal: the editor, the screen and a text that streams.
-- `lua5.4 spec/support/tui_demo.lua`; it repeats what is sent to it, `N words` streams N words.
local root = arg[0]:match("^(.*/)spec/support/tui_demo%.lua$") or "./"
package.path = root .. "lua/?.lua;" .. root .. "lua/?/init.lua;" .. package.path

local uv = require("luv")
local container = require("panto.tui.container")
local draft = require("panto.tui.draft")
local editor = require("panto.tui.components.editor")
local footer = require("panto.tui.components.footer")
local history = require("panto.tui.history")
local keys = require("panto.tui.keys")
local modes = require("panto.tui.modes")
local screen = require("panto.tui.screen")
local spinner = require("panto.tui.components.spinner")
local style = require("panto.tui.style")
local text_component = require("panto.tui.components.text")
local user_text = require("panto.tui.components.user_text")

local FRAME_MS, FLUSH_MS = 16, 30

local tty_in, tty_out = assert(uv.new_tty(0, true)), assert(uv.new_tty(1, false))
tty_in:set_mode(1)
local cols, rows = tty_out:get_winsize()
local written = 0

local function write(bytes)
  written = written + #bytes
  assert(uv.fs_write(1, bytes, -1))
end

local theme = style.new({ depth = style.depth(os.getenv) })
local view = screen.new({ cols = cols, rows = rows, write = write })
local decoder, mode = keys.new(), modes.new()
local input = editor.new({ draft = draft.new(), history = history.new(), theme = theme })
local wait = spinner.new({ theme = theme })
local status = footer.new({ theme = theme, left = { "~/demo", "main" }, right = { "no model" } })
local answer, words_left, words_done = nil, 0, 0

-- The size is asked before every frame: a signal may still wait behind the timer that paints.
local function paint()
  local new_cols, new_rows = tty_out:get_winsize()
  if new_cols ~= cols or new_rows ~= rows then
    cols, rows = new_cols, new_rows
    view:resize(cols, rows)
  end
  local live = container.new({ wait, input, status })
  if answer then
    view:append(answer:take(cols))
    live:add(answer, 1)
    if answer.is_finished then
      answer = nil
    end
  end
  view:draw(live:render(cols))
end

local frame_timer, is_dirty = uv.new_timer(), false
local function mark_dirty()
  if not is_dirty then
    is_dirty = true
    frame_timer:start(FRAME_MS, 0, function()
      is_dirty = false
      paint()
    end)
  end
end

local stream_timer = uv.new_timer()
local function stream_words()
  for _ = 1, math.min(words_left, 20) do
    words_left, words_done = words_left - 1, words_done + 1
    answer:add("word" .. words_done .. (words_done % 40 == 0 and "\n\n" or " "))
  end
  wait:tick()
  status:set({ "~/demo", "main" }, { words_done .. " words" })
  if words_left == 0 then
    stream_timer:stop()
    wait:set(nil)
    answer:finish()
  end
  mark_dirty()
end

local function leave()
  view:close()
  write(mode:stop())
  tty_in:set_mode(0)
  io.stdout:write("bytes ", written, "\r\n")
  io.stdout:flush()
  os.exit(0)
end

local function submit(text)
  view:append({ "" })
  view:append(user_text.new({ text = text, theme = theme }):render(cols))
  view:append({ "" })
  answer = text_component.new({ theme = theme })
  words_left, words_done = tonumber(text:match("^(%d+) words")) or 0, 0
  if words_left > 0 then
    wait:set("working", "esc to stop")
    stream_timer:start(0, 10, stream_words)
  else
    answer:add("you said: " .. text)
    answer:finish()
  end
end

local function act(event)
  if event.type == "reply" then
    write(mode:reply(event) or "")
  end
  local action = input:handle(event)
  if action and action.submit then
    submit(action.submit)
  elseif action and (action.eof or action.cancel) then
    leave()
  elseif action and action.action then
    status:set({ "~/demo" }, { action.action })
  end
  paint()
end

local flush_timer = uv.new_timer()
tty_in:read_start(function(problem, bytes)
  if problem or not bytes then
    leave()
  end
  for _, event in ipairs(decoder:feed(bytes)) do
    act(event)
  end
  if decoder:pending() then
    flush_timer:start(FLUSH_MS, 0, function()
      for _, event in ipairs(decoder:flush()) do
        act(event)
      end
    end)
  end
end)

local resized = uv.new_signal()
resized:start("sigwinch", paint)

write(mode:start())
view:append({ "demo starts" })
paint()
uv.run()
