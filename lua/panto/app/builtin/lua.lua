-- /lua EXPR: evaluates an expression or statements in the running state and shows the values.

local commands = require("panto.app.commands")
local inspect = require("panto.base.inspect")
local panto = require("panto")

local SHOWN = 8000

-- What one line sets, the next one finds; globals of the program itself stay as they are.
local function environment(app)
  if not app.lua_env then
    app.lua_env = setmetatable({ panto = panto }, { __index = _G })
  end
  return app.lua_env
end

local function compile(text, env)
  local chunk = load("return " .. text, "=/lua", "t", env)
  if chunk then
    return chunk
  end
  return load(text, "=/lua", "t", env)
end

local function show(values)
  local lines = {}
  for i = 1, values.n do
    local value = values[i]
    lines[i] = type(value) == "string" and values.n == 1 and value or inspect.write(value)
  end
  local text = table.concat(lines, "\n")
  if #text > SHOWN then
    text = ("%s\n… (%d bytes)"):format(text:sub(1, SHOWN), #text)
  end
  return text
end

--- Evaluates a line and shows its values.
---@param app panto.App
---@param args string
local function run(app, args)
  if args == "" then
    app:tell("info", "/lua EXPR evaluates in the running state: /lua #panto.ext")
    return
  end
  local chunk, message = compile(args, environment(app))
  if not chunk then
    app:tell("error", message)
    return
  end
  local item = { entry = "/lua", source = "the editor" }
  local ok, values = commands.call(item, args, app.teller, function()
    return table.pack(chunk())
  end)
  if ok then
    app:tell("info", values.n == 0 and "(no value)" or show(values))
  end
end

---@type panto.Builtin
return { name = "lua", description = "Evaluate Lua in the running state.", run = run }
