-- What real terminals send for real key presses and real pastes, as they were recorded.
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

-- Key, then what comes from: a legacy terminal; xterm after CSI >4;2m; kitty after CSI >5u; tmux 3.3a
-- after CSI >4;2m. Where a cell gives another key than the row's, it stands behind the bytes.
local KEYS = {
  { "enter", "\r", "\r", "\r", "\r" },
  { "shift+enter", { "\r", "enter" }, "\27[27;2;13~", "\27[13;2u", "\27[13;2u" },
  { "ctrl+enter", { "\r", "enter" }, "\27[27;5;13~", "\27[13;5u", "\27[13;5u" },
  { "alt+enter", "\27\r", nil, "\27[13;3u", "\27\r" },
  { "ctrl+c", "\3", "\27[27;5;99~", "\27[99;5u", "\3" },
  { "ctrl+m", { "\r", "enter" }, "\27[27;5;109~", "\27[109;5u", { "\r", "enter" } },
  { "escape", "\27", "\27", "\27[27u", "\27" },
  { "shift+tab", "\27[Z", "\27[Z", "\27[9;2u", "\27[9;2u" },
  { "backspace", "\127", "\127", "\127", "\127" },
  {
    "ctrl+backspace",
    { "\8", "backspace" },
    { "\8", "backspace" },
    "\27[127;5u",
    "\27[127;5u",
  },
  { "shift+a<A>", "A", "\27[27;2;65~", "A", "A" },
  { "shift+space< >", { " ", "space< >" }, "\27[27;2;32~", { " ", "space< >" } },
  { "alt+b", "\27b", "\27[27;3;98~", "\27[98;3u" },
  { "â<â>", "\u{e2}" },
  { "super+a", nil, nil, "\27[97;137u" },
  { "enter", nil, nil, "\27[57414u" },
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
    "a terminal that cuts its marks",
    { "\27[20", "0~one\r", "\ntwo\27[2", "01~" },
    "paste:one\ntwo",
  },
}

describe("the keys of real terminals", function()
  it("are read as what was pressed", function()
    for _, row in ipairs(KEYS) do
      for column = 2, 5 do
        local cell = row[column]
        local bytes = type(cell) == "table" and cell[1] or cell
        if bytes then
          local decoder = keys.new()
          local events = decoder:feed(bytes)
          table.move(decoder:flush(), 1, 1, #events + 1, events)
          assert.equal(type(cell) == "table" and cell[2] or row[1], brief(events))
        end
      end
    end
  end)

  it("give pastes whole, with plain line ends", function()
    for _, row in ipairs(PASTES) do
      local decoder, events = keys.new(), {}
      for _, bytes in ipairs(row[2]) do
        for _, event in ipairs(decoder:feed(bytes)) do
          events[#events + 1] = event
        end
      end
      assert.equal(row[3], brief(events), row[1])
    end
  end)

  it("end a paste at a raw end mark that tmux lets through", function()
    local events = keys.new():feed("\27[200~one\27[201~ e\27[201~")
    assert.equal("paste:one space< > e<e>", brief(events))
  end)
end)
