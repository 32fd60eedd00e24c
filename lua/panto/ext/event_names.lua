-- The names of panto's own events: an extension may emit them, but nothing is shown of it then.

local event_names = {}

local OWN = {}
for name in
  ([[
    session_start session_end user_message turn_start turn_end request model_changed compaction
    thinking thinking_delta thinking_complete
    assistant_text assistant_text_delta assistant_text_complete
    tool tool_details tool_delta tool_call_complete tool_progress tool_result tool_collapse
    retry restart error usage editor spinner footer overlay
  ]]):gmatch("%S+")
do
  OWN[name] = true
end

--- Tells whether what an extension emits under a name may be shown: a notice, or an event of its own.
---@param name string
---@return boolean
function event_names.is_shown(name)
  return not OWN[name]
end

return event_names
