local task = require("panto.sys.task")
local tools = require("panto.agent.tools")

local CTX = { cwd = "/", call_id = "1", progress = function() end }

local function returning(value)
  return {
    name = "a.tool",
    description = "d",
    schema = { type = "object", properties = { n = { type = "integer" } } },
    handler = function(input)
      if value == nil then
        return input.n
      end
      return value
    end,
  }
end

local function call(tool, arguments, input)
  local set = assert(tools.new({ tool }))
  return task.loop(function()
    return set:call(
      { id = "1", name = "a_tool", arguments = arguments or "{}", input = input },
      CTX
    )
  end)
end

describe("a toolset", function()
  it("turns every other character of a name into _ on the wire", function()
    assert.same("std_read-2_", tools.wire_name("std.read-2é" and "std.read-2!"))
    local set = assert(tools.new({ returning("x") }))
    assert.same("a_tool", set:definitions()[1].name)
    assert.same("a.tool", set:name_of("a_tool"))
    assert.same("other", set:name_of("other"))
  end)

  it("refuses two tools of one wire name, naming both files", function()
    local one, other = returning("x"), returning("y")
    one.source, other.source, other.name = "/one.lua", "/other.lua", "a_tool"
    local set, message = tools.new({ one, other })
    assert.is_nil(set)
    assert.matches("/one.lua", message, 1, true)
    assert.matches("/other.lua", message, 1, true)
  end)

  it("declares its tools in the order of registration, without empty lists as objects", function()
    local tool = returning("x")
    tool.schema = { type = "object", properties = {}, required = {} }
    local set = assert(tools.new({ tool }))
    assert.same({ type = "object", properties = {} }, set:definitions()[1].schema)
    assert.equal(set:definitions(), set:definitions())
  end)

  it("declares replaced tools in a new list, as one that was sent is never changed", function()
    local set = assert(tools.new({ returning("x") }))
    local before = set:definitions()
    local other = returning("x")
    other.description = "Another."
    assert(set:replace({ other }))
    assert.are_not.equal(before, set:definitions())
    assert.equal("Another.", set:definitions()[1].description)
    assert.are_not.equal("Another.", before[1].description)
  end)

  it("coerces what is nearly right before it checks", function()
    assert.same(
      "5\n[the tool returned a number; a handler returns a string]",
      call(returning(), '{"n":"5"}').content[1].text
    )
  end)

  it("takes arguments that are empty, null, or JSON in a string", function()
    for _, arguments in ipairs({ "", "null", '"{}"' }) do
      assert.is_false(call(returning("ok"), arguments).is_error)
    end
    assert.is_true(call(returning("ok"), "[1]").is_error)
  end)

  it("takes a string, or text with images, details and is_error", function()
    assert.same({ { type = "text", text = "hi" } }, { call(returning("hi")).content[1] })
    local made = call(returning({
      text = "t",
      images = { { media_type = "image/png", data = "QQ==" } },
      details = { a = 1 },
      is_error = true,
    }))
    assert.same("image", made.content[2].type)
    assert.same({ a = 1 }, made.details)
    assert.is_true(made.is_error)
  end)

  it("shows other values with a hint, and repairs bytes", function()
    assert.matches(
      '^{"x":1}\n%[the tool returned a table',
      call(returning({ x = 1 })).content[1].text
    )
    assert.matches("returned nothing", call(returning()).content[1].text)
    assert.same("a\u{FFFD}", call(returning("a\xff")).content[1].text)
  end)
end)
