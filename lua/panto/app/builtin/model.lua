-- /model: chooses the model of the next requests, from a list or by its name.

local dialog = require("panto.app.dialog")
local select_model = require("panto.config.select")

local function choose(app)
  local refs = select_model.list(app.setup.config)
  if not refs[1] then
    local why = app.setup.no_model or "models.toml names no model; say /model provider:name"
    app:tell("warning", why:match("^[^\n]*"))
    return nil
  end
  local choice = app.setup.choice
  return dialog.select(
    app.view,
    { title = "Model", items = refs, selected = choice and choice.ref }
  )
end

--- Sets the model that is named, or the one chosen from the list.
---@param app panto.App
---@param args string
local function run(app, args)
  local ref = args ~= "" and args or choose(app)
  if not ref then
    return
  end
  local choice, message = select_model.model(app.setup.config, ref)
  if not choice then
    app:tell("error", message)
    return
  end
  app.conversation:set_model(choice)
end

--- Returns what may stand behind /model.
---@param app panto.App
---@return panto.tui.Choice[]
local function complete(app)
  local items = {}
  for index, ref in ipairs(select_model.list(app.setup.config)) do
    items[index] = { label = ref }
  end
  return items
end

---@type panto.Builtin
return {
  name = "model",
  description = "Choose the model.",
  run = run,
  complete = complete,
}
