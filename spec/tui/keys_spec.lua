local keys = require("panto.tui.keys")

-- What the events say, in short: "ctrl+a", "a<a>" for a key that types, "paste:…", "reply:…".
local function brief(events)
  local words = {}
  for _, event in ipairs(events) do
    if event.type == "key" then
      words[#words + 1] = keys.name(event) .. (event.text and "<" .. event.text .. ">" or "")
    else
      local detail = event.name or event.text or tostring(event.gained)
      words[#words + 1] = event.type .. ":" .. detail
    end
  end
  return table.concat(words, " ")
end

local TABLE = {
  { "abc", "a<a> b<b> c<c>" },
  { "A", "shift+a<A>" },
  { "é😀", "é<é> 😀<😀>" },
  { "\r", "enter" },
  { "\n", "ctrl+j" },
  { "\t", "tab" },
  { "\127", "backspace" },
  { "\8", "backspace" },
  { "\3", "ctrl+c" },
  { "\0", "ctrl+space" },
  { "\31", "ctrl+_" },
  { "\27[A", "up" },
  { "\27OA", "up" },
  { "\27[1;5C", "ctrl+right" },
  { "\27[1;3D", "alt+left" },
  { "\27[H\27[F\27[1~\27[4~\27[7~\27[8~", "home end home end home end" },
  { "\27[3~\27[5~\27[6~", "delete page_up page_down" },
  { "\27[3;5~", "ctrl+delete" },
  { "\27OP\27[15~\27[24~", "f1 f5 f12" },
  { "\27[Z", "shift+tab" },
  { "\27b\27\r\27\127", "alt+b alt+enter alt+backspace" },
  { "\27\27[A", "alt+up" },
  { "\27[13;2u", "shift+enter" },
  { "\27[27;2;13~", "shift+enter" },
  { "\27[13;3u", "alt+enter" },
  { "\27[109;5u", "ctrl+m" },
  { "\27[27;5;109~", "ctrl+m" },
  { "\27[106;5u", "ctrl+j" },
  { "\27[99;5u", "ctrl+c" },
  { "\27[27u", "escape" },
  { "\27[9;2u", "shift+tab" },
  { "\27[127;5u", "ctrl+backspace" },
  { "\27[27;2;65~", "shift+a<A>" },
  { "\27[27;2;32~", "shift+space< >" },
  { "\27[27;3;98~", "alt+b" },
  { "\27[97;137u", "super+a" },
  { "\27[97;69u", "ctrl+a" },
  { "\27[97:65;6u", "ctrl+shift+a" },
  { "\27[97;5:3u\27[1;1:3A", "" },
  { "\27[57414u\27[57400u\27[57417u", "enter 1<1> left" },
  { "\27[57441;2u", "" },
  { "\27[I\27[O", "focus:true focus:false" },
  { "\27[?5u\27[?62;4;22cx", "reply:kitty_flags reply:da1 x<x>" },
  { "\27]11;rgb:1e1e/2020/3030\27\\x", "reply:background x<x>" },
  { "\27]11;rgb:ff/ff/ff\7", "reply:background" },
  { "\27P>|kitty(0.26.5)\27\\", "reply:version" },
  { "\27_Gi=31;OK\27\\x", "reply:graphics x<x>" },
  { "\27_Gi=4;ENOENT:no image\27\\x", "x<x>" },
  { "\27[6;18;9tx", "reply:cell x<x>" },
  { "\27[6;0;0t\27[8;24;80tx", "reply:size x<x>" },
  { "\27\27[8;24;80tx", "escape reply:size x<x>" },
  { "\27\27[3;4Rx", "escape reply:cursor x<x>" },
  { "\27[12;40R", "reply:cursor" },
  { "\27[?2026;2$y", "reply:mode" },
  { "\27[<0;1;2M\27[9999x", "" },
  { "\27[200~one\rtwo\r\nthree\27[201~z", "paste:one\ntwo\nthree z<z>" },
  { "\27[200~a\27[Ab\27[201~", "paste:a\27[Ab" },
  { "\255x", "\u{FFFD}<\u{FFFD}> x<x>" },
}

describe("tui.keys", function()
  it("reads every form of every key", function()
    for _, row in ipairs(TABLE) do
      assert.equal(row[2], brief(keys.new():feed(row[1])))
    end
  end)

  it("leaves open what may be the cursor's place or F3 with a modifier", function()
    for bytes, name in pairs({ ["\27[1;2R"] = "shift+f3", ["\27[1;5R"] = "ctrl+f3" }) do
      local event = keys.new():feed(bytes)[1]
      assert.same({ "reply", 1 }, { event.type, event.row })
      assert.equal(name, keys.name(event.key))
    end
    assert.is_nil(keys.new():feed("\27[2;5R")[1].key)
    assert.is_nil(keys.new():feed("\27[1;17R")[1].key)
  end)

  it("reads the same when the bytes are cut at every place", function()
    for _, row in ipairs(TABLE) do
      for cut = 1, #row[1] - 1 do
        local decoder = keys.new()
        local events = decoder:feed(row[1]:sub(1, cut))
        for _, event in ipairs(decoder:feed(row[1]:sub(cut + 1))) do
          events[#events + 1] = event
        end
        assert.equal(row[2], brief(events))
        assert.is_false(decoder:pending())
      end
    end
  end)

  it("waits with a lone ESC until it is told to give up", function()
    local decoder = keys.new()
    assert.equal("", brief(decoder:feed("\27")))
    assert.is_true(decoder:pending())
    assert.equal("escape", brief(decoder:flush()))
    assert.is_false(decoder:pending())
  end)

  it("takes ESC and one byte for an Alt key when nothing follows", function()
    for bytes, wanted in pairs({ ["\27["] = "alt+[", ["\27O"] = "alt+shift+o", ["\27]"] = "alt+]" }) do
      local decoder = keys.new()
      decoder:feed(bytes)
      assert.equal(wanted, brief(decoder:flush()))
    end
  end)

  it("types no half of a terminal's reply, however late the rest comes", function()
    local decoder = keys.new()
    decoder:feed("\27]11;rgb:1e1e")
    assert.equal("", brief(decoder:flush()))
    assert.equal("reply:background a<a>", brief(decoder:feed("/1e1e/1e1e\27\\a")))
    decoder:feed("\27[?62;")
    decoder:flush()
    assert.equal("reply:da1", brief(decoder:feed("4c")))
  end)

  it("gives an endless string sequence up at the next control key", function()
    local decoder = keys.new()
    decoder:feed("\27Pabc")
    assert.equal("enter", brief(decoder:feed("\r")))
  end)

  it("looks at each byte of a paste once, however many pieces it comes in", function()
    local decoder, line = keys.new(), ("x"):rep(99) .. "\n"
    local find, seen = string.find, 0
    rawset(string, "find", function(s, pattern, init, ...)
      seen = seen + #s - (init or 1) + 1
      return find(s, pattern, init, ...)
    end)
    decoder:feed("\27[200~")
    for _ = 1, 5000 do
      decoder:feed(line)
    end
    rawset(string, "find", find)
    assert.equal(500000, #decoder:feed("\27[201~")[1].text)
    assert.is_true(seen <= 1.1 * 500000, ("looked at %d bytes"):format(seen))
  end)

  it("reads a paste of 5 MB in small pieces in linear time", function()
    local decoder, line = keys.new(), ("x"):rep(99) .. "\n"
    local before = os.clock()
    decoder:feed("\27[200~")
    for _ = 1, 50000 do
      decoder:feed(line)
    end
    local events = decoder:feed("\27[201~")
    assert.equal(5000000, #events[1].text)
    assert.is_true(os.clock() - before < 2)
  end)

  it("tells the size of a cell and whether images are known", function()
    local events = keys.new():feed("\27[6;18;9t\27_Gi=31;OK\27\\\27_Gi=31;EINVAL:no\27\\")
    assert.same({ 9, 18 }, { events[1].width, events[1].height })
    assert.same({ true, false }, { events[2].is_ok, events[3].is_ok })
  end)

  it("tells the channels of a background colour", function()
    local event = keys.new():feed("\27]11;rgb:ffff/0000/8080\27\\")[1]
    assert.equal(1, event.red)
    assert.equal(0, event.green)
    assert.is_true(math.abs(event.blue - 0.502) < 0.01)
  end)
end)
