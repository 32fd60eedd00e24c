-- Cleaned text: what is taken out, what stays, and that nothing can be smuggled through.

local ansi = require("panto.base.ansi")

local CASES = {
  { "plain text", "a\tb\nc é€😀", "a\tb\nc é€😀" },
  { "colours", "\27[1;31mred\27[0m \27[38:2::1:2:3mx\27[m", "red x" },
  { "cursor moves and modes", "\27[2J\27[H\27[?25la\27[>4;2mb\27[3 qc", "abc" },
  { "a title ended by BEL", "a\27]0;evil\7b", "ab" },
  { "a title ended by ST", "a\27]0;evil\27\\b", "ab" },
  { "a clipboard write", "\27]52;c;ZXZpbA==\7ok", "ok" },
  { "a hyperlink", "\27]8;;http://x\27\\link\27]8;;\27\\", "link" },
  { "DCS, APC, PM and SOS", "a\27Pq#0\27\\b\27_G\27\\c\27^x\27\\d\27Xy\27\\e", "abcde" },
  { "a DCS of several lines", "a\27Pq\nline\n\27\\b", "ab" },
  { "a control string that never ends", "a\27]0;evil\nnext line", "a\nnext line" },
  { "a control string broken off by another", "a\27]0;x\27[1mb", "ab" },
  { "a lone escape", "a\27", "a" },
  { "an escape before a newline", "a\27\nb", "a\nb" },
  { "two byte escapes", "\27=\27>\0277a\0278\27cb\27M", "ab" },
  { "character sets", "\27(0lqk\27(B\27#8x", "lqkx" },
  { "an unfinished CSI", "a\27[31", "a" },
  { "a CSI broken off by a letter outside ASCII", "a\27[1éb", "aéb" },
  { "an escape inside an escape", "\27\27[0m[31mx", "[31mx" },
  { "C1 as UTF-8", "a\u{9B}31mb\u{9D}0;t\u{9C}c\u{85}d\u{80}e", "abcde" },
  { "C0 controls and delete", "a\0\1\7\11\12\14\31\127b", "ab" },
  { "CRLF", "a\r\nb\r\r\nc\r", "a\nb\nc" },
  { "a progress line", "10%\r20%\r100%\nok", "100%\nok" },
  { "a progress line with erasing", "10%\r\27[K20%\27[0K\r\27[2K30%\r\n", "30%\n" },
  { "backspaces", "abc\b\bX\nN\bNo_\b_ é\be\b\b\b\b\b\b\b!", "aX\n!" },
  { "a spinner", "-\b\\\b|\b/", "/" },
  { "bidi overrides", "a\u{202E}b\u{202A}c\u{2066}d\u{2069}e\u{2068}", "abcde" },
  {
    "bidi overrides behind dashes",
    "a — “b” … c\u{202E}d\u{2067}e",
    "a — “b” … cde",
  },
  { "C1 behind other signs", "« ° » \u{9B}31mé", "« ° » é" },
  {
    "bidi overrides put together by what is taken out",
    "\xE2\27[m\x80\xAEx",
    "\u{FFFD}\u{FFFD}\u{FFFD}x",
  },
  { "raw C1 bytes", "a\x9B31m", "a\u{FFFD}31m" },
}

local PIECES = {
  "\27",
  "[",
  "]",
  "P",
  "X",
  "^",
  "_",
  "\\",
  "\7",
  "31m",
  ";",
  "?",
  "\r",
  "\n",
  "\b",
  "\t",
  "a",
  "é",
  "\xC2",
  "\x9B",
  "\x9C",
  "\u{9D}",
  "\u{202E}",
  "\xE2",
  "\x80",
  "\xAE",
  "\24",
  "\0",
  "(B",
  " ",
  "\127",
}

describe("ansi.clean", function()
  for _, case in ipairs(CASES) do
    it("handles " .. case[1], function()
      assert.equal(case[3], ansi.clean(case[2]))
    end)
  end

  it("leaves no control behind and changes nothing the second time", function()
    math.randomseed(31)
    for _ = 1, 6000 do
      local parts = {}
      for index = 1, math.random(0, 20) do
        parts[index] = PIECES[math.random(#PIECES)]
      end
      local text = ansi.clean(table.concat(parts))
      assert.is_nil(text:find("[\0-\8\11-\31\127]"))
      assert.is_nil(text:find("\xC2[\x80-\x9F]"))
      assert.is_nil(text:find("\u{202E}", 1, true))
      assert.is_truthy(utf8.len(text))
      assert.equal(text, ansi.clean(text))
    end
  end)

  it("takes hostile text in linear time", function()
    local started = os.clock()
    for _, piece in ipairs({
      "\27",
      "\27]",
      "\27[",
      "\27[1;",
      "\27P\n",
      "\r",
      "\b",
      "a\b",
      "\r\n",
      "\xC2\x9D",
      "\xFF",
      "\27[0mx",
    }) do
      ansi.clean(piece:rep(100000))
      ansi.clean(("x"):rep(100000) .. piece:rep(100000))
    end
    ansi.clean(("x\b\by"):rep(50000))
    assert.is_true(os.clock() - started < 15)
  end)
end)

describe("ansi.reveal", function()
  it("shows what is hidden, and leaves the rest as it is", function()
    assert.equal("rm -rf ~␍echo hi␛[8m␇", ansi.reveal("rm -rf ~\recho hi\27[8m\7"))
    assert.equal("a␡␈ <U+009B>2J <U+202E>b", ansi.reveal("a\127\b \u{9B}2J \u{202E}b"))
    assert.equal("é 中 👩‍🚀\n\t\u{FFFD}", ansi.reveal("é 中 👩‍🚀\n\t\xFF"))
  end)
end)

describe("ansi.strip", function()
  it("takes out escape sequences only", function()
    local line = ansi.sgr.bold .. "a" .. ansi.sgr.reset .. "\tb\27]8;;x\27\\c"
    assert.equal("a\tbc", ansi.strip(line))
    assert.equal("plain\r", ansi.strip("plain\r"))
  end)
end)
