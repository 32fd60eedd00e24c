-- UTF-8: what is valid, what a repair makes of the rest, and cuts between characters.

local utf8x = require("panto.base.utf8x")

local R = "\u{FFFD}"

describe("utf8x", function()
  local repairs = {
    { "plain text", "abc é€😀", "abc é€😀" },
    { "a stray continuation byte", "a\x80b", "a" .. R .. "b" },
    { "two stray bytes", "\xFE\xFF", R .. R },
    { "a character cut after one byte", "\xE2", R },
    { "a character cut after two bytes", "\xE2\x82", R },
    { "a character cut after three bytes", "\xF0\x9F\x98", R },
    { "a cut character before a letter", "\xF0\x9F\x98a", R .. "a" },
    { "two cut characters", "\xE2\x82\xE2\x82", R .. R },
    { "an overlong slash", "\xC0\xAF", R .. R },
    { "an overlong three byte form", "\xE0\x80\xAF", R .. R .. R },
    { "a surrogate", "\xED\xA0\x80", R .. R .. R },
    { "a code over U+10FFFF", "\xF4\x90\x80\x80", R .. R .. R .. R },
    { "latin-1", "caf\xE9 au lait", "caf" .. R .. " au lait" },
  }
  for _, case in ipairs(repairs) do
    it("repairs " .. case[1], function()
      local text, changed = utf8x.repair(case[2])
      assert.equal(case[3], text)
      assert.equal(case[2] ~= case[3], changed)
      assert.equal(case[2] == case[3], utf8x.is_valid(case[2]))
    end)
  end

  it("makes any bytes valid, and leaves them alone the second time", function()
    math.randomseed(5)
    local special =
      { "\xE2", "\x82", "\xAC", "\xF0", "\x9F", "\xED", "\xA0", "a", "\xC3", "\xF4", "\x90" }
    for _ = 1, 3000 do
      local parts = {}
      for index = 1, math.random(0, 12) do
        parts[index] = special[math.random(#special)]
      end
      local text = utf8x.repair(table.concat(parts))
      assert.is_true(utf8x.is_valid(text))
      assert.is_false(select(2, utf8x.repair(text)))
    end
  end)

  it("never cuts inside a character", function()
    local text = "aé€😀"
    local expected = {
      [0] = "",
      "a",
      "a",
      "aé",
      "aé",
      "aé",
      "aé€",
      "aé€",
      "aé€",
      "aé€",
      "aé€😀",
      "aé€😀",
    }
    for size, cut in pairs(expected) do
      assert.equal(cut, utf8x.cut(text, size))
    end
    assert.equal("", utf8x.cut(text, -1))
    assert.equal("\x80\x80", utf8x.cut(("\x80"):rep(9), 2))
  end)

  it("counts the bytes of an unfinished last character at every cut", function()
    for _, character in ipairs({ "é", "€", "😀", "\u{10FFFF}" }) do
      for size = 0, #character do
        local expected = size < #character and size or 0
        assert.equal(expected, utf8x.incomplete_tail("x" .. character:sub(1, size)))
        assert.equal(expected, utf8x.incomplete_tail(character:sub(1, size)))
      end
    end
    for _, text in ipairs({
      "",
      "a",
      "\x80",
      "\xFF",
      "\xC0",
      "\xE0\x80",
      "\xED\xA0",
      "\xF5\x80",
      "a\x80\x80\x80",
    }) do
      assert.equal(0, utf8x.incomplete_tail(text))
    end
  end)
end)
