-- The model and effort that a session was left with, into the setup of its next requests.

local select_model = require("panto.config.select")

local session_model = {}

--- Restores model and effort, unless the user named a model for this run; what cannot be had is
--- noted.
---@param setup panto.Setup
---@param recorded panto.session.Settings
---@param notes string[]
function session_model.restore(setup, recorded, notes)
  setup.effort = recorded.effort or setup.effort
  local ref = recorded.model
  if setup.model_wished or not ref or setup.choice and setup.choice.ref == ref then
    return
  end
  local choice, message = select_model.model(setup.config, ref)
  if choice then
    choice.ref = ref
    setup.choice = choice
    return
  end
  local now = setup.choice and setup.choice.ref
  local text = "the session's model %s cannot be used (%s)%s"
  local instead = now and ("; it goes on with " .. now) or ""
  notes[#notes + 1] = text:format(ref, (message or ""):match("^[^\n]*"), instead)
end

return session_model
