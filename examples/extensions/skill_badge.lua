-- A line below the row of one tool: the default view is kept and added to.

return {
  name = "skill-badge",
  activate = function()
    local panto = require("panto")
    panto.ext.on("tool_details", function(e)
      if e.tool_name ~= "skill" then
        return
      end
      local inner = e:get_component()
      e:set_component({
        render = function(_, width)
          local lines = inner:render(width)
          lines[#lines + 1] = "▸ running skill"
          return lines
        end,
      })
    end)
  end,
}
