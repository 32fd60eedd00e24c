local api = require("panto.ext.api")
local bus = require("panto.ext.bus")
local fs = require("panto.sys.fs")
local loader = require("panto.ext.loader")
local process = require("panto.sys.process")
local registry = require("panto.ext.registry")
local task = require("panto.sys.task")
local uv = require("luv")

local folder, world, pieces

local function put(name, text)
  assert(fs.write(folder .. "/" .. name, text, { parents = true }))
end

local function load(more)
  local reg = registry.new()
  local events = bus.new()
  local allows = more and more.allows
  local made = api.new({ registry = reg, bus = events, allows = allows })
  world.ext = made.ext
  local options = {
    api = made,
    registry = reg,
    layers = {
      { name = "project", dir = folder .. "/project" },
      { name = "base", dir = folder .. "/base" },
      { name = "user", dir = folder .. "/user" },
    },
  }
  for key, value in pairs(more or {}) do
    options[key] = value
  end
  local result = task.loop(loader.run, options)
  return result, reg, events
end

local function tool_names(reg)
  local names = {}
  for _, tool in ipairs(reg:tools()) do
    names[#names + 1] = tool.name
  end
  return table.concat(names, " ")
end

local function tool(name, answer)
  return ('{ name = %q, description = "d", schema = { type = "object" }, handler = function() return %q end }'):format(
    name,
    answer or name
  )
end

describe("the loader", function()
  before_each(function()
    folder = assert(uv.fs_mkdtemp("/tmp/panto-ext-XXXXXX"))
    world, pieces = {}, {}
    _G.trace_of_spec = pieces -- luacheck: ignore
    package.loaded["spec_world"] = world
  end)

  after_each(function()
    package.loaded["spec_world"] = nil
    _G.trace_of_spec = nil -- luacheck: ignore
    task.loop(function()
      process.run({ file = "rm", args = { "-rf", folder } })
    end)
  end)

  it("takes every legal shape", function()
    put("user/tools/a.lua", "return " .. tool("a"))
    put("user/tools/list.lua", "return { " .. tool("b") .. ", " .. tool("c") .. " }")
    put(
      "user/extensions/e.lua",
      'return { name = "e", activate = function() require("spec_world").ext.register_tool('
        .. tool("d")
        .. ") end }"
    )
    put("user/extensions/folder/init.lua", "return " .. tool("f"))
    put(
      "user/extensions/implicit.lua",
      'require("spec_world").ext.register_tool(' .. tool("g") .. ")"
    )
    local result, reg = load()
    assert.same({}, result.errors)
    assert.same("d f g a b c", tool_names(reg))
    assert.same("e", reg:tools()[1].entry)
    assert.same("implicit", reg:tools()[3].entry)
    assert.same(folder .. "/user/tools/a.lua", reg:tools()[4].source)
  end)

  it("loads base first, extensions before tools, files by name", function()
    local text = "return { name = %q, activate = function() table.insert(trace_of_spec, %q) end }"
    for _, name in ipairs({
      "project/tools/b",
      "project/extensions/z",
      "user/tools/a",
      "base/tools/x",
      "project/tools/a",
    }) do
      put(name .. ".lua", text:format(name, name))
    end
    put("std/s.lua", text:format("std", "std"))
    load({ builtin = folder .. "/std" })
    assert.same(
      "std base/tools/x user/tools/a project/extensions/z project/tools/a project/tools/b",
      table.concat(pieces, " ")
    )
  end)

  it("lets project shadow user shadow base, by the entry's name", function()
    put("base/tools/one.lua", "return " .. tool("echo", "base"))
    put("user/tools/two.lua", "return " .. tool("echo", "user"))
    put("project/tools/three.lua", "return " .. tool("echo", "project"))
    local result, reg = load()
    assert.same(1, #reg:tools())
    assert.same("project", reg:tools()[1].handler())
    assert.same("shadowed", result.entries[1].status)
    assert.same(folder .. "/user/tools/two.lua", result.entries[1].by)
    assert.same({}, result.errors)
  end)

  it("prefers the layer's own folders to extra paths", function()
    put("extra/x.lua", "return " .. tool("echo", "extra"))
    put("extra/y.lua", "return " .. tool("only", "extra"))
    put("user/tools/two.lua", "return " .. tool("echo", "user"))
    put("single.lua", "return " .. tool("single"))
    local result, reg = load({
      paths = {
        folder .. "/extra",
        { path = folder .. "/single.lua", layer = "project" },
        "/no/where",
      },
    })
    assert.same("echo only single", tool_names(reg))
    assert.same("user", reg:tools()[1].handler())
    assert.matches("/no/where", result.errors[1].message)
  end)

  it("gives a denied or shadowed entry no effect at all", function()
    local text = [[
      local ext = require("spec_world").ext
      ext.register_command({ name = "x", handler = function() end })
      ext.on("event", function() table.insert(trace_of_spec, "heard") end)]]
    put("user/extensions/denied.lua", text)
    put("user/extensions/tools.lua", "return { " .. tool("std.a") .. ", " .. tool("std.b") .. " }")
    local result, reg, events = load({
      allows = function(kind, name)
        return not (kind == "extensions" and name == "denied")
          and not (kind == "tools" and name == "std.b")
      end,
    })
    events:emit("event")
    assert.same({}, pieces)
    assert.same({}, reg:commands())
    assert.same("std.a", tool_names(reg))
    assert.same("denied", result.entries[1].status)
    assert.same({}, result.errors)
  end)

  it("does not let a denied entry shadow another", function()
    put(
      "base/extensions/x.lua",
      'return { name = "x", activate = function() table.insert(trace_of_spec, "x") end }'
    )
    put("user/tools/x.lua", "return " .. tool("x"))
    load({
      allows = function(kind)
        return kind ~= "tools"
      end,
    })
    assert.same({ "x" }, pieces)
  end)

  it("keeps the globals that a file sets to itself", function()
    put(
      "user/tools/a.lua",
      "io, string, require, print, mine = nil, nil, nil, nil, 1\nassert(_G.io)\nreturn "
        .. tool("a")
    )
    put(
      "user/tools/b.lua",
      "assert(io and string.rep and require and print and not mine)\nreturn " .. tool("b")
    )
    local result, reg = load()
    assert.same({}, result.errors)
    assert.same("a b", tool_names(reg))
    assert.is_nil(rawget(_G, "mine"))
  end)

  it("lists a bad file with its line and traceback, and loads the others", function()
    put("user/extensions/a_syntax.lua", "local x = \nreturn {")
    put("user/extensions/b_raises.lua", "local function f()\n  error('boom')\nend\nf()\nreturn 1")
    put("user/extensions/c_shape.lua", "return 5")
    put("user/extensions/d_nothing.lua", "local x = 1")
    put("user/extensions/e_list.lua", "return { " .. tool("ok") .. ", { name = 'half' } }")
    put(
      "user/extensions/f_activate.lua",
      [[
      return { name = "f", activate = function()
        require("spec_world").ext.register_command({ name = "gone", handler = function() end })
        require("spec_world").ext.register_tool({ name = "no handler" })
      end }]]
    )
    put("user/extensions/g_good.lua", "return " .. tool("good"))
    local result, reg, _ = load()
    assert.same("good", tool_names(reg))
    assert.same({}, reg:commands())
    assert.same(6, #result.errors)
    assert.same(2, result.errors[1].line)
    assert.matches("^unexpected symbol near", result.errors[1].message)
    assert.same(2, result.errors[2].line)
    assert.matches("b_raises.lua:2: in .*\n.*b_raises.lua:4: in", result.errors[2].traceback)
    assert.matches(
      "^it returned a number; an extension file returns { name",
      result.errors[3].message
    )
    assert.matches("returned nothing", result.errors[4].message)
    assert.matches("item 2 of its list", result.errors[5].message)
    assert.matches("needs a handler", result.errors[6].message)
    assert.same(3, result.errors[6].line)
    assert.same("failed", result.entries[1].status)
    assert.is_nil(result.fatal)
  end)

  it(
    "keeps a table that raises when it is read and a schema that is no JSON from the rest",
    function()
      put(
        "user/extensions/a.lua",
        'return setmetatable({}, { __index = function() error("read") end })'
      )
      put(
        "user/tools/b.lua",
        'return { name = "b", schema = { f = print }, handler = function() return "" end }'
      )
      put("user/tools/c.lua", "return " .. tool("good"))
      local result, reg = load()
      assert.same("good", tool_names(reg))
      assert.same({ 1, "read" }, { result.errors[1].line, result.errors[1].message })
      assert.is_nil(result.errors[2].line)
      assert.matches("^tool b: its schema is no JSON: .*function", result.errors[2].message)
    end
  )

  it("calls two tools of one wire name fatal, naming both files", function()
    put("user/tools/a.lua", "return " .. tool("std.x"))
    put("user/tools/b.lua", "return " .. tool("std_x"))
    local result = load()
    assert.matches("user/tools/a.lua", result.fatal, 1, true)
    assert.matches("user/tools/b.lua", result.fatal, 1, true)
  end)

  it("tells of two entries of one name in one layer and uses the first", function()
    put("user/tools/a.lua", "return " .. tool("x", "a"))
    put("user/tools/b.lua", "return " .. tool("x", "b"))
    local result, reg = load()
    assert.same("a", reg:tools()[1].handler())
    assert.matches('b.lua: the entry "x" is already in .*a.lua', result.errors[1].message)
  end)

  it("loads the four standard tools from their folder", function()
    local result, reg = load({ builtin = "lua/std" })
    assert.same({}, result.errors)
    assert.same("std.edit std.read std.shell std.write", tool_names(reg))
  end)
end)
