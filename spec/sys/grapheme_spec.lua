local text = require("panto.sys.text")

local FILE = "/usr/share/unicode/auxiliary/GraphemeBreakTest.txt"

-- The cases of Unicode's own test as { text, boundaries after which bytes }; without controls, which
-- never get as far as here, and without U+2701, which later versions see otherwise.
local function cases()
  local file = io.open(FILE)
  if not file then
    return nil
  end
  local list = {}
  for line in file:lines() do
    local body = line:match("^([^#]+)#")
    if body and body:find("%x") and not body:find("00[01]%x ") and not body:find("2701") then
      local bytes, ends = "", {}
      for mark, code in body:gmatch("([÷×]+) (%x+)") do
        if mark == "÷" and bytes ~= "" then
          ends[#bytes] = true
        end
        bytes = bytes .. utf8.char(tonumber(code, 16))
      end
      ends[#bytes] = true
      list[#list + 1] = { bytes, ends, line }
    end
  end
  file:close()
  return list
end

describe("sys.text on Unicode's grapheme clusters", function()
  if not package.loaded["panto.host"] then
    pending("the clusters come from the host: panto lua spec/support/run.lua")
    return
  end
  local list = cases()
  if not list then
    pending("GraphemeBreakTest.txt is not here (Debian: unicode-data)")
    return
  end

  it("finds the clusters that Unicode finds", function()
    assert.is_true(#list > 300)
    for _, case in ipairs(list) do
      local at = 0
      for piece in text.graphemes(case[1]) do
        at = at + #piece
        assert.is_true(case[2][at], case[3])
      end
      assert.equal(#case[1], at)
    end
  end)

  it("never parts one, whatever the columns", function()
    for _, case in ipairs(list) do
      local total = text.width(case[1])
      for cols = 0, total do
        local cut, columns = text.cut(case[1], cols)
        assert.is_true(#cut == 0 or case[2][#cut], case[3])
        assert.is_true(columns <= cols)
        assert.equal(columns, text.width(cut))
      end
      local _, stops = text.spans(case[1], 1)
      for _, stop in ipairs(stops) do
        assert.is_true(stop == 0 or case[2][stop], case[3])
      end
    end
  end)
end)
