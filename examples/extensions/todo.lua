-- A TODO list that the model keeps and the user sees above the editor; /reload does not lose it.

local panto = require("panto")

local items = {}

local function set(input)
  items = input.items
  panto.ui.invalidate()
  local left = 0
  for _, item in ipairs(items) do
    left = left + (item.done and 0 or 1)
  end
  return ("%d of %d left"):format(left, #items)
end

local function lines_of_list()
  local lines = {}
  for i, item in ipairs(items) do
    lines[i] = (item.done and "☑ " or "☐ ") .. item.text
  end
  return lines
end

-- The editor with the list above it; its cursor moves down by as many rows.
local function wrap(inner)
  return {
    render = function(_, width)
      local lines = lines_of_list()
      local count = #lines
      local below, cursor = inner:render(width)
      table.move(below, 1, #below, count + 1, lines)
      return lines, cursor and { row = cursor.row + count, col = cursor.col }
    end,
    handleInput = function(_, data, event)
      return inner:handleInput(data, event)
    end,
  }
end

return {
  name = "todo",
  activate = function(state)
    items = state or {}
    panto.ext.register_tool({
      name = "todo",
      description = "Replace the list of what is to do. Keep it up to date while you work.",
      schema = {
        type = "object",
        properties = {
          items = {
            type = "array",
            items = {
              type = "object",
              properties = { text = { type = "string" }, done = { type = "boolean" } },
              required = { "text" },
            },
          },
        },
        required = { "items" },
      },
      handler = set,
    })
    panto.ext.on("editor", function(e)
      e:set_component(wrap(e:get_component()))
    end)
  end,
  deactivate = function()
    return items
  end,
}
