-- Schemas: what fits, what is said about what does not, and what is mended.

local json = require("panto.base.json")
local schema = require("panto.base.schema")

local EDIT = {
  type = "object",
  properties = {
    path = { type = "string", description = "the file to edit", minLength = 1 },
    edits = {
      type = "array",
      minItems = 1,
      items = {
        type = "object",
        properties = {
          old_text = { type = "string" },
          new_text = { type = "string" },
          replace_all = { type = "boolean" },
        },
        required = { "old_text", "new_text" },
        additionalProperties = false,
      },
    },
    limit = { type = "integer", minimum = 1, maximum = 2000 },
    mode = { enum = { "fast", "careful" } },
  },
  required = { "path" },
  additionalProperties = false,
}

local function problem(value, of)
  local ok, message = schema.check(of or EDIT, value)
  assert.is_nil(ok)
  return message
end

describe("schema.check", function()
  it("takes what fits", function()
    local value =
      { path = "a", edits = { { old_text = "x", new_text = "" } }, limit = 3.0, mode = "fast" }
    assert.is_true(schema.check(EDIT, value))
    assert.is_true(schema.check({}, nil))
    assert.is_true(schema.check({ type = "array" }, {}))
    assert.is_true(schema.check({ type = "object" }, {}))
    assert.is_true(schema.check({ type = { "string", "null" } }, json.null))
    assert.is_true(schema.check({ type = "number" }, 3))
    assert.is_true(schema.check(true, 3))
    assert.is_true(schema.check({ const = { a = { 1 } } }, { a = { 1 } }))
    assert.is_true(
      schema.check({ type = "object", additionalProperties = { type = "integer" } }, { a = 1 })
    )
  end)

  local cases = {
    {
      "a wrong type deep inside",
      { path = "a", edits = { { old_text = 5, new_text = "" } } },
      "edits[1].old_text: expected string, got integer",
    },
    { "a wrong type at the top", "a", "arguments: expected object, got string" },
    { "an array for an object", json.array(), "arguments: expected object, got array" },
    { "a missing property", {}, "path: required but missing, expected string (the file to edit)" },
    {
      "a misspelt property",
      { path = "a", edit = 1 },
      'edit: unknown property, did you mean "edits"? allowed: edits, limit, mode, path',
    },
    {
      "an unknown property",
      { path = "a", zzzzzzzz = 1 },
      "zzzzzzzz: unknown property; allowed: edits, limit, mode, path",
    },
    {
      "a fraction for an integer",
      { path = "a", limit = 1.5 },
      "limit: expected integer, got number",
    },
    { "a number too small", { path = "a", limit = 0 }, "limit: must be at least 1, got 0" },
    { "a number too large", { path = "a", limit = 9000 }, "limit: must be at most 2000, got 9000" },
    { "a text too short", { path = "" }, "path: must have at least 1 characters, got 0" },
    { "a list too short", { path = "a", edits = {} }, "edits: must have at least 1 items, got 0" },
    {
      "a choice that is none",
      { path = "a", mode = "fsat" },
      'mode: expected one of "fast", "careful", got "fsat", did you mean "fast"?',
    },
    { "null", { path = json.null }, "path: expected string, got null" },
    {
      "several problems",
      { limit = "x", mode = 1 },
      'path: required but missing, expected string (the file to edit); limit: expected integer, got string; mode: expected one of "fast", "careful", got 1',
    },
  }
  for _, case in ipairs(cases) do
    it("says what is wrong with " .. case[1], function()
      assert.equal(case[3], problem(case[2]))
    end)
  end

  it("says why none of several forms fits", function()
    local either =
      { anyOf = { { type = "string" }, { type = "array", items = { type = "string" } } } }
    assert.is_true(schema.check(either, { "a" }))
    assert.equal(
      "arguments: fits none of the allowed forms: (1) arguments: expected string, got array; (2) [1]: expected string, got integer",
      problem({ 1 }, either)
    )
    local one = { oneOf = { { type = "integer" }, { type = "number" } } }
    assert.is_true(schema.check(one, 1.5))
    assert.equal("arguments: fits 2 forms, but only one is allowed", problem(1, one))
    local all = { allOf = { { type = "integer" }, { minimum = 5 } } }
    assert.equal("arguments: must be at least 5, got 1", problem(1, all))
    assert.equal("arguments: expected 3, got 4", problem(4, { const = 3 }))
    assert.equal(
      "a: not allowed here, leave it out",
      problem({ a = 1 }, { properties = { a = false } })
    )
  end)

  it("tells at most five problems", function()
    local items = {}
    for index = 1, 50 do
      items[index] = index
    end
    local message = problem(items, { items = { type = "string" } })
    assert.equal(4, select(2, message:gsub("; ", "")))
  end)
end)

describe("schema.coerce", function()
  it("mends texts that say what was asked for", function()
    local value = schema.coerce(EDIT, {
      path = "12",
      limit = "5",
      edits = '[{"old_text":"a","new_text":"true","replace_all":"True"}]',
    })
    assert.equal("12", value.path)
    assert.equal(5, value.limit)
    assert.equal("integer", math.type(value.limit))
    local again = schema.coerce(EDIT, value)
    assert.is_true(again.edits[1].replace_all)
    assert.equal("true", again.edits[1].new_text)
    assert.is_true(schema.check(EDIT, again))
  end)

  it("mends JSON text and what is inside it in one go", function()
    local value = schema.coerce(
      EDIT,
      '{"path":"a","edits":"[{\\"old_text\\":\\"a\\",\\"new_text\\":\\"b\\",\\"replace_all\\":\\"true\\"}]"}'
    )
    assert.is_true(schema.check(EDIT, value))
    assert.is_true(value.edits[1].replace_all)
  end)

  it("leaves alone what it cannot mend, and what fits", function()
    for _, text in ipairs({ "five", "", "1.5", "0x10", "1e400", "[1]" }) do
      assert.equal(text, schema.coerce({ type = "integer" }, text))
    end
    assert.equal("maybe", schema.coerce({ type = "boolean" }, "maybe"))
    assert.equal("{", schema.coerce({ type = "object" }, "{"))
    assert.equal("5", schema.coerce({ type = { "string", "integer" } }, "5"))
    assert.equal("5", schema.coerce({}, "5"))
    assert.equal(5, schema.coerce({ type = "string" }, 5))
    assert.equal(1.5, schema.coerce({ type = "number" }, "1.5"))
  end)

  it("drops null where an optional property was left out, and keeps the given value", function()
    local given = { path = json.null, limit = json.null }
    local value = schema.coerce(EDIT, given)
    assert.is_nil(value.limit)
    assert.equal(json.null, value.path)
    assert.equal(json.null, given.limit)
  end)
end)
