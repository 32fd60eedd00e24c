-- The footer and one more line: how often each tool was called.

return {
  name = "call-count",
  activate = function()
    local panto = require("panto")
    local counts, names = {}, {}

    panto.ext.on("tool_result", function(e)
      local name = e.tool_name
      if not counts[name] then
        names[#names + 1] = name
      end
      counts[name] = (counts[name] or 0) + 1
    end)

    panto.ext.on("footer", function(e)
      local inner = e:get_component()
      e:set_component({
        render = function(_, width)
          local pieces = {}
          for i, name in ipairs(names) do
            pieces[i] = ("%s ×%d"):format(name, counts[name])
          end
          local shown = inner:render(width)
          local lines = { table.unpack(shown) }
          lines[#lines + 1] = names[1] and table.concat(pieces, " · ")
          return lines
        end,
      })
    end)
  end,
}
