local assertions = require("panto.testing.assertions")

local ours = assertions.new()
local busted = assert

local function raises()
  error("boom", 0)
end

local function nothing() end

-- Each is a path of words and its arguments; busted's own assert says what must come of it.
local CASES = {
  { "equal", 1, 1 },
  { "equal", 1, 1.0 },
  { "equal", "1", 1 },
  { "equal", {}, {} },
  { "are.equal", "a", "a" },
  { "are_not.equal", "a", "b" },
  { "are_not.equal", "a", "a" },
  { "not_equal", 1, 2 },
  { "equals", nil, nil },
  { "equals", nil, false },
  { "same", { 1, { a = 2 } }, { 1, { a = 2 } } },
  { "same", { 1, { a = 2 } }, { 1, { a = 3 } } },
  { "same", { 1 }, { 1, 2 } },
  { "same", {}, {} },
  { "same", 0, "0" },
  { "are.same", { false }, { false } },
  { "is_not.same", { 1 }, { 2 } },
  { "are_not_same", { 1 }, { 1 } },
  { "is_true", true },
  { "is_true", 1 },
  { "is_false", false },
  { "is_false", nil },
  { "is_not_true", 1 },
  { "is.truthy", 0 },
  { "truthy", false },
  { "is_falsy", nil },
  { "falsy", "x" },
  { "is_nil", nil },
  { "is_nil", false },
  { "is_not_nil", false },
  { "is.not_nil", nil },
  { "is_string", "x" },
  { "is_string", 1 },
  { "is_number", 1 },
  { "is_table", {} },
  { "is_function", print },
  { "is_boolean", nil },
  { "is_not_table", 1 },
  { "near", 1, 1.05, 0.1 },
  { "near", 1, 1.2, 0.1 },
  { "matches", "^a+$", "aaa" },
  { "matches", "^a+$", "aab" },
  { "does_not.match", "x", "aaa" },
  { "has_error", raises },
  { "has_error", nothing },
  { "has_error", raises, "boom" },
  { "has_error", raises, "other" },
  { "has.error", raises },
  { "has_no.errors", nothing },
  { "has_no_error", raises },
  { "error_matches", raises, "^bo+m$" },
  { "error_matches", raises, "^x$" },
}

local function holds(root, case)
  local found = root
  for word in case[1]:gmatch("[^.]+") do
    found = found[word]
  end
  return (pcall(found, table.unpack(case, 2, 4)))
end

describe("our assert", function()
  for index, case in ipairs(CASES) do
    it(("says the same as busted's: %s (%d)"):format(case[1], index), function()
      busted.equal(holds(busted, case), holds(ours, case))
    end)
  end

  it("is called like the plain one, and gives its values back", function()
    busted.same({ 1, 2, 3 }, { ours(1, 2, 3) })
    busted.is_false((pcall(ours, nil, "so")))
    busted.is_true(assertions.is_failure(select(2, pcall(ours, false))))
  end)

  it("names the place in which tables differ", function()
    local _, err = pcall(ours.same, { a = { 1, 2 } }, { a = { 1, 3 } })
    busted.is_truthy(tostring(err):find("first at .a[2]", 1, true))
  end)

  it("compares tables that hold themselves", function()
    local one, other = { 1 }, { 1 }
    one.self, other.self = one, other
    busted.is_true((pcall(ours.same, one, other)))
    other[1] = 2
    busted.is_false((pcall(ours.same, one, other)))
  end)

  it("finds values in texts and lists", function()
    busted.is_true((pcall(ours.contains, "b.d", "ab.de")))
    busted.is_true((pcall(ours.contains, { 2 }, { 1, { 2 } })))
    busted.is_true((pcall(ours.does_not.contains, 3, { 1, 2 })))
  end)

  it("refuses a word that it does not know, with the nearest one", function()
    local _, err = pcall(function()
      return ours.is_nul(1)
    end)
    busted.is_truthy(err:find("is_nul is unknown here", 1, true))
  end)
end)
