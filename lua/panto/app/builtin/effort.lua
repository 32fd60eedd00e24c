-- /effort: how hard the model thinks in the next requests, from a list or by its name.

local dialog = require("panto.app.dialog")
local effort = require("panto.app.effort")
local nearest = require("panto.base.nearest")

local function unknown(name, list)
  local near = nearest.find(name, list, 1)[1]
  local hint = near and (" Did you mean %s?"):format(near) or ""
  return ("There is no effort %q.%s Efforts: %s."):format(name, hint, table.concat(list, ", "))
end

local function is_in(name, list)
  for _, other in ipairs(list) do
    if name == other then
      return true
    end
  end
  return false
end

--- Sets the effort that is named, or the one chosen from the list.
---@param app panto.App
---@param args string
local function run(app, args)
  local setup = app.setup
  local list = effort.list(setup.choice)
  local name = args
  if args == "" then
    name = dialog.select(app.view, {
      title = "Reasoning effort",
      items = effort.choices(setup.choice),
      selected = setup.effort or "default",
    })
  elseif not is_in(args, list) then
    app:tell("error", unknown(args, list))
    return
  end
  if name then
    app.conversation:set_effort(name ~= "default" and name or nil)
  end
end

--- Returns what may stand behind /effort.
---@param app panto.App
---@return panto.tui.Choice[]
local function complete(app)
  return effort.choices(app.setup.choice)
end

---@type panto.Builtin
return {
  name = "effort",
  description = "Choose how hard the model thinks.",
  run = run,
  complete = complete,
}
