-- The slash commands that panto brings: registered like an extension's, one file each.

local compact = require("panto.app.builtin.compact")
local extensions = require("panto.app.builtin.extensions")
local help = require("panto.app.builtin.help")
local lua = require("panto.app.builtin.lua")
local model = require("panto.app.builtin.model")
local reload = require("panto.app.builtin.reload")
local sessions = require("panto.app.builtin.sessions")
local tree = require("panto.app.builtin.tree")
local undo = require("panto.app.builtin.undo")

---@class panto.Builtin
---@field name string without the slash
---@field description string
---@field run fun(app: panto.App, args: string) may wait

local builtin = {}

---@type panto.Builtin[]
local LIST = {
  compact,
  extensions,
  help,
  lua,
  model,
  reload,
  sessions,
  tree,
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
