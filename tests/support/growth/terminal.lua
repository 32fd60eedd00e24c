-- What comes in at a terminal and what a session shows there: pastes of growing length, many turns.

local draft = require("panto.tui.draft")
local keys = require("panto.tui.keys")
local screen = require("panto.tui.screen")
local style = require("panto.tui.style")
local transcript = require("panto.app.transcript")

local COLS, ROWS, READ_BYTES = 100, 30, 4095

-- A paste in the pieces that a terminal's reads give, into a draft and out again.
local function paste(line)
  return {
    n = 200000,
    prepare = function(n)
      local bytes = "\27[200~" .. line:rep(n // #line + 1) .. "\27[201~"
      local pieces = {}
      for at = 1, #bytes, READ_BYTES do
        pieces[#pieces + 1] = bytes:sub(at, at + READ_BYTES - 1)
      end
      return pieces
    end,
    work = function(pieces)
      local decoder, written = keys.new(), draft.new()
      for _, piece in ipairs(pieces) do
        for _, event in ipairs(decoder:feed(piece)) do
          written:paste(event.text)
        end
      end
      written:text()
    end,
  }
end

local function new_session()
  local view = screen.new({ cols = COLS, rows = ROWS, write = function() end })
  local shown = transcript.new({
    theme = style.new({ depth = "256" }),
    changed = function() end,
    report = error,
    is_focused = function()
      return false
    end,
  })
  local function emit(name, payload)
    shown:close(name, payload, shown:open(name, payload))
  end
  local function draw()
    view:append(shown:take(COLS))
    view:draw(shown:render(COLS), { row = 1, col = 1 })
  end
  return emit, draw
end

local function run_turn(emit, draw, number)
  local id = "call_" .. number
  emit("user_message", { text = "what now?" })
  emit("turn_start", {})
  emit("thinking", { index = 1 })
  emit("thinking_delta", { index = 1, delta = "Let me **think** about it." })
  emit("thinking_complete", { index = 1 })
  draw()
  emit("tool", { index = 2, id = id, tool_name = "std.shell" })
  emit("tool_details", { index = 2, id = id, input = { command = "ls" } })
  draw()
  emit("tool_result", { id = id, output = ("a line\n"):rep(30) })
  emit("assistant_text", { index = 3 })
  emit("assistant_text_delta", { index = 3, delta = "Some **words** and `code`.\n\n- one\n" })
  draw()
  emit("assistant_text_complete", { index = 3 })
  emit("turn_end", { status = "done" })
  draw()
end

return {
  paste_of_lines = paste('The quick brown fox — "jumps"\t\\ over\n'),
  paste_of_one_line = paste("words without an end "),
  paste_with_line_ends_of_old = paste("one\r\ntwo\rthree\27[31mfour "),
  turns = {
    n = 100,
    prepare = function(n)
      return n
    end,
    work = function(n)
      local emit, draw = new_session()
      for number = 1, n do
        run_turn(emit, draw, number)
      end
    end,
  },
}
