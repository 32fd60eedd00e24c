local base64 = require("panto.base.base64")
local codes = require("panto.tui.images.codes")
local marks = require("panto.tui.images.marks")
local text = require("panto.sys.text")

local function read_lines(path)
  local file = io.open(path)
  local all = file and file:read("a")
  return file and file:close() and all
end

-- What Unicode 6.0 knew already, by code point.
local function old_points(ages)
  local old = {}
  for first, last, major in ages:gmatch("\n(%x+)%.?%.?(%x*)%s*; (%d+)%.%d") do
    local from = tonumber(first, 16)
    local to = last ~= "" and tonumber(last, 16) or from
    if tonumber(major) <= 6 and from < 0x900 then
      for code = from, to do
        old[code] = true
      end
    end
  end
  return old
end

describe("tui.images.marks", function()
  it("are Unicode's marks above that no normalisation touches, in their order", function()
    local data = read_lines("/usr/share/unicode/UnicodeData.txt")
    local ages = read_lines("/usr/share/unicode/DerivedAge.txt")
    if not data or not ages then
      return pending("not installed: unicode-data")
    end
    local touched = " 300 301 302 303 304 306 307 308 309 30A 30B 30C 30F 311 313 314 342 653 654 "
    local old, wanted = old_points(ages), {}
    for hex in data:gmatch("\n(%x+);[^;\n]*;Mn;230;NSM;;") do
      local code = tonumber(hex, 16)
      if old[code] and not touched:find((" %X "):format(code), 1, true) and #wanted < #marks then
        wanted[#wanted + 1] = utf8.char(code)
      end
    end
    assert.is_true(#marks > 100)
    assert.same(wanted, marks)
  end)
end)

describe("tui.images.codes", function()
  local place = { cols = 3, rows = 2, indent = 4 }

  it("sends an image in pieces of at most 4096 bytes", function()
    for _, size in ipairs({ 1, 3072, 3073, 9999 }) do
      local data = base64.encode(("p"):rep(size))
      local got, sizes, more = {}, {}, {}
      local bytes = codes.send(77, data)
      local rest = bytes:gsub("\27_G([^;]*);([^\27]*)\27\\", function(keys, piece)
        got[#got + 1], sizes[#sizes + 1] = piece, #piece
        more[#more + 1] = keys:match("m=(%d)")
        assert.equal(#got == 1, keys:find("a=t,t=d,f=100,i=77", 1, true) ~= nil)
        assert.is_truthy(keys:find("q=2", 1, true))
        return ""
      end)
      assert.equal("", rest)
      assert.equal(data, table.concat(got))
      assert.is_true(math.max(table.unpack(sizes)) <= 4096)
      assert.equal(("1"):rep(#got - 1) .. "0", table.concat(more))
    end
  end)

  it("makes placeholders of as many columns as the image takes", function()
    local lines = codes.placeholders(0x010203, 2, place)
    assert.equal(2, #lines)
    for row, line in ipairs(lines) do
      assert.equal(7, text.width(line))
      local start = "    \27[38;2;1;2;3m\27[58;2;0;0;2m"
      assert.equal(start, line:sub(1, #start))
      local first = "\u{10EEEE}" .. marks[row] .. marks[1] .. "\u{10EEEE}" .. marks[row] .. marks[2]
      assert.equal(first, line:sub(#start + 1, #start + #first))
    end
    assert.equal("\27_Ga=p,U=1,i=66051,p=2,c=3,r=2,q=2\27\\", codes.place(0x010203, 2, place))
  end)

  it("draws from the last row and leaves the cursor where it was", function()
    local drawn = "\0277\27[1A\27[5G\27_Ga=p,i=9,c=3,r=2,C=1,q=2\27\\\0278"
    assert.equal(drawn, codes.kitty(9, place))
    assert.equal(
      "\0277\27[5G\27]1337;File=inline=1;size=2;width=3;height=1;"
        .. "preserveAspectRatio=1;doNotMoveCursor=1:QQA=\7\0278",
      codes.iterm("QQA=", 2, { cols = 3, rows = 1, indent = 4 })
    )
  end)
end)
