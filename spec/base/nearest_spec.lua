-- Nearest names: which misspelt names are recognised and which are not.

local nearest = require("panto.base.nearest")

describe("nearest.find", function()
  local flags = { "--resume", "--model", "--version", "--help", "--json", "--max-turns" }
  local cases = {
    { "--resme", "--resume" },
    { "--modle", "--model" },
    { "--Version", "--version" },
    { "--maxturns", "--max-turns" },
    { "--josn", "--json" },
    { "--unrelated", nil },
    { "", nil },
  }
  for _, case in ipairs(cases) do
    it(("finds %s for '%s'"):format(case[2] or "nothing", case[1]), function()
      assert.equal(case[2], nearest.find(case[1], flags)[1])
    end)
  end

  it("puts the likeliest first and counts a swap as one change", function()
    assert.same(
      { "read", "bread", "reda" },
      nearest.find("read", { "bread", "reda", "read", "write" })
    )
    assert.same({ "read" }, nearest.find("raed", { "read", "road" }, 1))
    assert.same({ "ab", "ac" }, nearest.find("a", { "ac", "ab", "z" }))
  end)

  it("agrees with the plain definition of the distance", function()
    local function plain(a, b)
      if a == "" or b == "" then
        return #a + #b
      end
      local best = math.min(
        plain(a:sub(2), b) + 1,
        plain(a, b:sub(2)) + 1,
        plain(a:sub(2), b:sub(2)) + (a:byte() == b:byte() and 0 or 1)
      )
      if #a > 1 and #b > 1 and a:byte(1) == b:byte(2) and a:byte(2) == b:byte(1) then
        best = math.min(best, plain(a:sub(3), b:sub(3)) + 1)
      end
      return best
    end
    math.randomseed(11)
    local function random_word()
      local letters = {}
      for index = 1, math.random(1, 5) do
        letters[index] = ("abc"):sub(math.random(3), -1):sub(1, 1)
      end
      return table.concat(letters)
    end
    for _ = 1, 300 do
      local a, b = random_word(), random_word()
      local near = plain(a, b) <= math.min(2, math.max(#a, #b) - 1)
      assert.equal(near, nearest.find(a, { b })[1] == b, a .. " " .. b)
    end
  end)

  it("returns at most as many as asked for", function()
    local names = {}
    for index = 1, 50 do
      names[index] = "file" .. index .. ".lua"
    end
    assert.equal(3, #nearest.find("fil.lua", names))
    assert.equal(5, #nearest.find("fil.lua", names, 5))
    assert.same({}, nearest.find(("x"):rep(5000), names))
  end)

  it("looks through many names quickly", function()
    local names, started = {}, os.clock()
    for index = 1, 20000 do
      names[index] = "src/module_" .. index .. "/init.lua"
    end
    assert.equal("src/module_777/init.lua", nearest.find("src/modul_777/init.lua", names, 1)[1])
    assert.is_true(os.clock() - started < 10)
  end)
end)
