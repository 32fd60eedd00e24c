-- `panto init`: a first extension with its spec, and .luarc.json for the editor; nothing is overwritten.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local usage = require("panto.cli.usage")

local init = {}

local HELLO = [=[
-- A tool for the model and a command for the user. After a change: /reload.
local panto = require("panto")

local function count_words(input, ctx)
  local text, message = panto.fs.read(panto.fs.join(ctx.cwd, input.path))
  if not text then
    return { text = message, is_error = true }
  end
  return select(2, text:gsub("%S+", "")) .. " words"
end

return {
  name = "hello",
  activate = function()
    panto.ext.register_tool({
      name = "count_words",
      description = "Count the words of a file.",
      schema = {
        type = "object",
        properties = { path = { type = "string" } },
        required = { "path" },
      },
      handler = count_words,
    })
    panto.ext.register_command({
      name = "hello",
      description = "Say hello.",
      handler = function(args)
        panto.ui.notify("Hello, " .. (args ~= "" and args or "world") .. "!")
      end,
    })
  end,
}
]=]

local HELLO_SPEC = [=[
local testing = require("panto.testing")

describe("hello", function()
  it("counts the words of a file for the model", function()
    local t = testing.new({
      files = { ["a.txt"] = "one two three" },
      script = {
        { calls = { { name = "count_words", input = { path = "a.txt" } } } },
        { text = "Three." },
      },
    })
    t:say("How many words has a.txt?")
    assert.equal("3 words", t:tool_result("count_words"))
  end)

  it("greets", function()
    local t = testing.new()
    t:say("/hello Lua")
    assert.contains("Hello, Lua!", t:screen())
  end)
end)
]=]

local GLOBALS = { "describe", "it", "before_each", "after_each", "setup", "teardown", "finally" }

local function library_folder()
  return fs.join(env.path("lua_root"), "panto/_meta")
end

-- Written by hand, since people go on with it: one key a line.
local function editor_settings()
  local library = library_folder()
  local globals = json.array({ table.unpack(GLOBALS) })
  globals[#globals + 1] = "pending"
  local text = '{\n  "runtime.version": "Lua 5.4",\n  "workspace.library": %s,\n'
    .. '  "diagnostics.globals": %s\n}\n'
  return text:format(json.encode(json.array({ library })), json.encode(globals))
end

local function put(cwd, name, text)
  local path = fs.join(cwd, name)
  if fs.exists(path) then
    print(("kept     %s"):format(name))
    return true
  end
  local written, message = fs.write(path, text, { parents = true })
  if not written then
    return nil, message
  end
  print(("written  %s"):format(name))
  return true
end

local NEXT = [[

Next:
  panto test      runs the spec of the extension
  panto           loads it: it asks once whether to trust this folder's .panto/
  /reload         loads it anew after a change
An editor with a Lua language server knows require("panto") now.]]

--- Writes the files into the current folder.
---@param words string[]
---@return integer exit_code
function init.run(words)
  if words[1] then
    return usage.refuse(("init: unknown word %q"):format(words[1]), "panto init")
  end
  local cwd = fs.cwd()
  local files = {
    { ".luarc.json", editor_settings() },
    { ".panto/extensions/hello.lua", HELLO },
    { ".panto/extensions/hello_spec.lua", HELLO_SPEC },
  }
  for _, file in ipairs(files) do
    local done, message = put(cwd, file[1], file[2])
    if not done then
      io.stderr:write("panto: ", message, "\n")
      return 1
    end
  end
  print(NEXT)
  local library = library_folder()
  if not (fs.read(fs.join(cwd, ".luarc.json")) or ""):find(library, 1, true) then
    print(('if "workspace.library" in .luarc.json has this folder: %s'):format(library))
  end
  return 0
end

return init
