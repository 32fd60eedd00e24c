local fuzzy = require("panto.app.files.fuzzy")

local PATHS = {
  "README.md",
  "src/",
  "src/parser.lua",
  "src/parse/tokens.lua",
  "docs/sparse_array.md",
  "src/a/very/deep/parser_of_all.lua",
  "lib/%d+.txt",
}

describe("files.fuzzy", function()
  it("puts names before folders and beginnings before middles", function()
    assert.same({
      "src/parser.lua",
      "src/a/very/deep/parser_of_all.lua",
      "docs/sparse_array.md",
      "src/parse/tokens.lua",
    }, fuzzy.new(PATHS):find("parse", 10))
  end)

  it("takes letters with others between, whatever their case", function()
    assert.same({ "README.md" }, fuzzy.new(PATHS):find("rdme", 10))
    assert.same({ "src/parser.lua" }, fuzzy.new(PATHS):find("s/prs.lua", 1))
  end)

  it("takes signs for themselves", function()
    assert.same({ "lib/%d+.txt" }, fuzzy.new(PATHS):find("%d+", 10))
    assert.same({}, fuzzy.new(PATHS):find("[", 10))
  end)

  it("finds the same when a query grows letter by letter, in a list that grows", function()
    local paths = { "one.lua" }
    local finder = fuzzy.new(paths)
    assert.same({ "one.lua" }, finder:find("o", 10))
    paths[2] = "other.lua"
    assert.same({ "other.lua" }, finder:find("ot", 10))
    assert.same({ "one.lua", "other.lua" }, finder:find("o", 10))
  end)

  it("searches for letters that nearly fit about as fast as for any others", function()
    local many = {}
    for index = 1, 20000 do
      many[index] = ("packages/aaaaaaaa/module_%05d/aaaaaaaaaaaaaaaa/index.lua"):format(index)
    end
    local function seconds(query)
      local best = math.huge
      for _ = 1, 4 do
        local finder = fuzzy.new(many)
        local before = os.clock()
        finder:find(query, 50)
        best = math.min(best, os.clock() - before)
      end
      return best
    end
    assert.is_true(seconds("aaaaaaaaz") < 8 * seconds("index"))
  end)
end)
