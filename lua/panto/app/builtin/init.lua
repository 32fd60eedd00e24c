-- The slash commands that panto brings: registered like an extension's, one file each.

local clear = require("panto.app.builtin.clear")
local compact = require("panto.app.builtin.compact")
local copy = require("panto.app.builtin.copy")
local effort = require("panto.app.builtin.effort")
local extensions = require("panto.app.builtin.extensions")
local help = require("panto.app.builtin.help")
local lua = require("panto.app.builtin.lua")
local model = require("panto.app.builtin.model")
local new = require("panto.app.builtin.new")
local reload = require("panto.app.builtin.reload")
local sessions = require("panto.app.builtin.sessions")
local tree = require("panto.app.builtin.tree")
local tutor = require("panto.app.builtin.tutor")
local undo = require("panto.app.builtin.undo")

---@class panto.Builtin
---@field name string without the slash
---@field description string
---@field run fun(app: panto.App, args: string) may wait
---@field complete (fun(app: panto.App): panto.tui.Choice[])? what the arguments may become

local builtin = {}

---@type panto.Builtin[]
local LIST = {
  clear,
  compact,
  copy,
  effort,
  extensions,
  help,
  lua,
  model,
  new,
  reload,
  sessions,
  tree,
  tutor,
  undo,
}

--- Registers the commands in the registry of an app; none of an extension may have their names.
---@param app panto.App
function builtin.register(app)
  local owner = { entry = "panto", source = "built in" }
  for _, command in ipairs(LIST) do
    local added, message = app.setup.registry:add_command({
      name = command.name,
      description = command.description,
      complete = command.complete and function()
        return command.complete(app)
      end,
      handler = function(args)
        command.run(app, args)
      end,
    }, owner)
    if not added then
      app:tell("error", message)
    end
  end
end

return builtin
