local gitignore = require("panto.base.gitignore")

-- The lines of a file, and what it says of paths (a slash behind folders): true, false or nil.
local TABLE = {
  { "*.o", { ["a.o"] = true, ["x/a.o"] = true, ["a.c"] = "nil", ["o"] = "nil" } },
  { "/*.o", { ["a.o"] = true, ["x/a.o"] = "nil" } },
  { "build/", { ["build/"] = true, ["build"] = "nil", ["x/build/"] = true } },
  { "doc/*.txt", { ["doc/a.txt"] = true, ["doc/x/a.txt"] = "nil", ["x/doc/a.txt"] = "nil" } },
  { "doc/**/a.txt", { ["doc/a.txt"] = true, ["doc/x/y/a.txt"] = true, ["a.txt"] = "nil" } },
  { "**/node_modules", { ["node_modules/"] = true, ["a/b/node_modules/"] = true } },
  { "logs/**", { ["logs/a"] = true, ["logs/x/a"] = true, ["logs/"] = "nil" } },
  { "*.log\n!keep.log", { ["a.log"] = true, ["keep.log"] = false } },
  { "# no\n\n\\#yes", { ["# no"] = "nil", ["#yes"] = true } },
  {
    "a?c\n[0-9]x\n[!a-z]y",
    { abc = true, ac = "nil", ["5x"] = true, ["ax"] = "nil", ["5y"] = true, ay = "nil" },
  },
  { "x.y\r\nz  ", { ["x.y"] = true, xay = "nil", z = true } },
  { "a%+b(c)\n[open", { ["a%+b(c)"] = true, ["[open"] = true } },
}

describe("base.gitignore", function()
  it("says of each path what git says", function()
    for _, row in ipairs(TABLE) do
      local rules = gitignore.parse(row[1])
      for path, wanted in pairs(row[2]) do
        local is_folder = path:sub(-1) == "/"
        local said = rules:match(is_folder and path:sub(1, -2) or path, is_folder)
        assert.equal(tostring(wanted), tostring(said), row[1] .. " · " .. path)
      end
    end
  end)
end)
