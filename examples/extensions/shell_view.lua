-- Another view of one tool: a shell call is its command and the size of its output.

return {
  name = "shell-view",
  activate = function()
    local panto = require("panto")
    local calls = {}

    panto.ext.on("tool", function(e)
      if e.tool_name ~= "std.shell" then
        return
      end
      local call = { command = "…" }
      calls[e.id] = call
      e:set_component({
        render = function()
          local line = "$ " .. call.command
          if call.lines then
            line = ("%s  → %d lines%s"):format(line, call.lines, call.failed and ", failed" or "")
          end
          return { line }
        end,
      })
    end)

    panto.ext.on("tool_details", function(e)
      if calls[e.id] then
        calls[e.id].command = tostring(e.input.command):gsub("\n.*", " …")
      end
    end)

    panto.ext.on("tool_result", function(e)
      local call = calls[e.id]
      if call then
        call.lines = select(2, (e.output or ""):gsub("[^\n]+", ""))
        call.failed = e.is_error
        calls[e.id] = nil
      end
    end)
  end,
}
