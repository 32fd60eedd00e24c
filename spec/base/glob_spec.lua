-- Globs against dotted names and paths.

local glob = require("panto.base.glob")

describe("glob.match", function()
  local cases = {
    { "std.read", { "std.read" }, { "std.reads", "xstd.read", "std_read", "" } },
    { "*", { "", "a", "std.read", "a/b" }, {} },
    { "std.*", { "std.read", "std.", "std.a.b" }, { "std", "my.std.read" } },
    { "*.read", { "std.read", ".read" }, { "read", "std.read2" } },
    { "s*d*r*d", { "std.read", "sdrd" }, { "std.write" } },
    { "a?c", { "abc", "aéc", "a.c" }, { "ac", "abbc" } },
    { "[a-c]x[!0-9]", { "axb", "cxé" }, { "dxb", "ax1", "ax" } },
    { "[^a]", { "b" }, { "a", "" } },
    { "[]a]", { "]", "a" }, { "b" } },
    { "[a-]", { "a", "-" }, { "b" } },
    { "[é-ü]", { "ö" }, { "z" } },
    { "std.{read,write}", { "std.read", "std.write" }, { "std.edit", "std.", "std.{read,write}" } },
    { "{a,b{c,d}}.{x,}", { "a.x", "bc.x", "bd." }, { "b.x", "bcd.x" } },
    { "{a}", { "{a}" }, { "a" } },
    { "{a,b", { "{a,b" }, { "a" } },
    { "[a", { "[a" }, { "a" } },
    { "\\*.\\{a,b\\}", { "*.{a,b}" }, { "x.a" } },
    { "a%d.", { "a%d." }, { "a1x" } },
    { "**", { "a.b", "" }, {} },
    { "", { "" }, { "a" } },
  }
  for _, case in ipairs(cases) do
    it(("takes and leaves the right names for '%s'"):format(case[1]), function()
      for _, name in ipairs(case[2]) do
        assert.is_true(glob.match(case[1], name), name)
      end
      for _, name in ipairs(case[3]) do
        assert.is_false(glob.match(case[1], name), name)
      end
    end)
  end

  it("ends soon on patterns made to be slow", function()
    local started = os.clock()
    assert.is_false(glob.match(("*a"):rep(30) .. "b", ("a"):rep(2000)))
    glob.match(("{a,b}"):rep(30), ("a"):rep(30))
    assert.is_true(os.clock() - started < 10)
  end)
end)
