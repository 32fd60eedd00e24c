-- What real terminals send for real key presses, pastes and questions, as it was recorded.
require("bare_host")
local keys_in = require("panto.app.keys_in")
local keys = require("panto.tui.keys")

local function brief(events)
  local words = {}
  for _, event in ipairs(events) do
    if event.type == "key" then
      words[#words + 1] = keys.name(event) .. (event.text and "<" .. event.text .. ">" or "")
    else
      words[#words + 1] = event.type .. ":" .. (event.text or event.name)
    end
  end
  return table.concat(words, " ")
end

-- The key pressed, the one that is read, then what comes from each of TERMINALS. Where a cell gives
-- another key, it stands behind the bytes; a cell that is false was not recorded.
local TERMINALS = {
  "a legacy terminal",
  "xterm after CSI >4;2m",
  "kitty after CSI >5u",
  "tmux after CSI >4;2m",
}
local ENTER = { "\r", "enter" }
local KEYS = {
  { "Enter", "enter", "\r", "\r", "\r", "\r" },
  { "Shift+Enter", "shift+enter", ENTER, "\27[27;2;13~", "\27[13;2u", "\27[13;2u" },
  { "Ctrl+Enter", "ctrl+enter", ENTER, "\27[27;5;13~", "\27[13;5u", "\27[13;5u" },
  { "Alt+Enter", "alt+enter", "\27\r", false, "\27[13;3u", "\27\r" },
  { "Ctrl+C", "ctrl+c", "\3", "\27[27;5;99~", "\27[99;5u", "\3" },
  { "Ctrl+M", "ctrl+m", ENTER, "\27[27;5;109~", "\27[109;5u", ENTER },
  { "Esc", "escape", "\27", "\27", "\27[27u", "\27" },
  { "Shift+Tab", "shift+tab", "\27[Z", "\27[Z", "\27[9;2u", "\27[9;2u" },
  { "Backspace", "backspace", "\127", "\127", "\127", "\127" },
  {
    "Ctrl+Backspace",
    "ctrl+backspace",
    { "\8", "backspace" },
    { "\8", "backspace" },
    "\27[127;5u",
    "\27[127;5u",
  },
  { "Shift+A", "shift+a<A>", "A", "\27[27;2;65~", "A", "A" },
  { "Shift+Space", "shift+space< >", { " ", "space< >" }, "\27[27;2;32~", { " ", "space< >" } },
  { "Alt+b", "alt+b", "\27b", "\27[27;3;98~", "\27[98;3u" },
  { "Alt+b in an xterm as it comes", "â<â>", "\xC3\xA2" },
  { "Super+a with NumLock on", "super+a", false, false, "\27[97;137u" },
  { "the keypad's Enter", "enter", "\r", "\r", "\27[57414u" },
}

-- A paste of "one\ntwo\ttab ESC[201~ evil é\r\nthree", in the reads in which it came.
local PASTES = {
  {
    "xterm",
    { "\27[200~one\rtwo\ttab  [201~ evil é\r\rthree\27[201~" },
    "paste:one\ntwo\ttab  [201~ evil é\n\nthree",
  },
  {
    "kitty",
    { "\27[200~", "one\ntwo\ttab  evil é\r\nthree", "\27[201~" },
    "paste:one\ntwo\ttab  evil é\nthree",
  },
  {
    "tmux, which lets the end mark through: the rest is a text too, and no Enter",
    { "\27[200~one\rtwo\ttab \27[201~ evil é\r\rthree\27[201~" },
    "paste:one\ntwo\ttab  paste: evil é\n\nthree",
  },
  {
    "tmux with -r, which keeps line feeds",
    { "\27[200~one\ntwo\ttab \27[201~ evil é\r\nthree\27[201~" },
    "paste:one\ntwo\ttab  paste: evil é\n\nthree",
  },
  {
    "any of them without mode 2004",
    { "one\rtwo\ttab  evil é\r\rthree" },
    "paste:one\ntwo\ttab  evil é\n\nthree",
  },
  {
    "a terminal that cuts its marks",
    { "\27[20", "0~one\r", "\ntwo\27[2", "01~" },
    "paste:one\ntwo",
  },
}

-- Who answers what to CSI ?u (before and after CSI >5u), CSI c, CSI >q and DECRQM 2004 and 2026.
local REPLIES = {
  { "kitty", "kitty_flags", "\27[?0u" },
  { "kitty after CSI >5u", "kitty_flags", "\27[?5u" },
  { "kitty", "da1", "\27[?62;c" },
  { "kitty", "version", "\27P>|kitty(0.26.5)\27\\" },
  { "kitty, foot", "mode", "\27[?2004;2$y" },
  { "kitty, foot", "mode", "\27[?2026;2$y" },
  { "foot", "kitty_flags", "\27[?0u" },
  { "foot after CSI >5u", "kitty_flags", "\27[?5u" },
  { "foot", "da1", "\27[?62;4;22c" },
  { "foot", "version", "\27P>|foot(1.13.1)\27\\" },
  { "xterm", "da1", "\27[?64;1;2;6;9;15;16;17;18;21;22;28c" },
  { "xterm", "version", "\27P>|XTerm(379)\27\\" },
  { "xterm", "mode", "\27[?2004;1$y" },
  { "xterm", "mode", "\27[?2026;0$y" },
  { "alacritty", "da1", "\27[?6c" },
  { "alacritty", "mode", "\27[?2026;2$y" },
  { "urxvt", "da1", "\27[?1;2c" },
  { "tmux", "da1", "\27[?1;2c" },
  { "tmux", "version", "\27P>|tmux 3.3a\27\\" },
  { "xterm.js", "da1", "\27[?1;2c" },
  { "xterm.js", "mode", "\27[?2026;2$y" },
  { "pyte", "da1", "\27[?6c" },
}

local function read(bytes)
  local decoder = keys.new()
  local events = decoder:feed(bytes)
  return table.move(decoder:flush(), 1, 1, #events + 1, events)
end

describe("the keys of real terminals:", function()
  for _, row in ipairs(KEYS) do
    for column, terminal in ipairs(TERMINALS) do
      local cell = row[column + 2]
      if cell then
        it(row[1] .. " in " .. terminal, function()
          local bytes, wanted = cell, row[2]
          if type(cell) == "table" then
            bytes, wanted = cell[1], cell[2]
          end
          assert.equal(wanted, brief(read(bytes)))
        end)
      end
    end
  end
end)

describe("a paste in real terminals:", function()
  for _, row in ipairs(PASTES) do
    it(row[1], function()
      local events = {}
      local reader = keys_in.new(function(event)
        events[#events + 1] = event
      end)
      for _, bytes in ipairs(row[2]) do
        reader:feed(bytes)
      end
      assert.equal(row[3], brief(events))
    end)
  end
end)

describe("the reply of a real terminal is never typed:", function()
  for _, row in ipairs(REPLIES) do
    it(("%s from %s, %s"):format(row[2], row[1], (row[3]:gsub("\27", "ESC "))), function()
      local bytes = row[3]
      local whole = read(bytes)
      assert.equal(1, #whole)
      assert.same({ "reply", row[2] }, { whole[1].type, whole[1].name })
      -- Cut anywhere behind what could be a key, with a wait for the rest.
      for at = 3, #bytes - 1 do
        local decoder = keys.new()
        assert.same({}, decoder:feed(bytes:sub(1, at)))
        assert.same({}, decoder:flush())
        local events = decoder:feed(bytes:sub(at + 1))
        assert.equal(1, #events)
        assert.equal("reply", events[1].type)
      end
    end)
  end
end)
