-- A permission gate: before a tool may change anything, the user is asked.

local panto = require("panto")

local GATED = { ["std.shell"] = "command", ["std.write"] = "path", ["std.edit"] = "path" }

local ONCE, ALWAYS, NEVER = "Allow", "Allow for this session", "Deny"

return {
  name = "gate",
  activate = function()
    local allowed = {}

    -- A handler may wait; as long as it does, the call does not run. If it fails, the call is denied.
    panto.ext.on("tool_call_complete", function(e)
      local field = GATED[e.tool_name]
      if not field or allowed[e.tool_name] then
        return
      end
      local answer = panto.ui.select({
        title = ("%s %s"):format(e.tool_name, tostring(e.input and e.input[field])),
        items = { ONCE, ALWAYS, NEVER },
      })
      if answer == ALWAYS then
        allowed[e.tool_name] = true
      elseif answer ~= ONCE then
        e:deny("the user does not want this call: ask what to do instead")
      end
    end)
  end,
}
