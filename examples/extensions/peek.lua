-- A command with completion: /peek FILE shows how a file begins, Tab completes its name.

local panto = require("panto")

local LINES = 10

local function peek(name)
  local text, message = panto.fs.read(panto.fs.join(panto.fs.cwd(), name))
  if not text then
    panto.ui.notify(message, "error")
    return
  end
  local lines = {}
  for line in text:gmatch("[^\n]+") do
    lines[#lines + 1] = line
    if #lines == LINES then
      break
    end
  end
  panto.ui.notify(table.concat(lines, "\n"))
end

-- What Tab offers; it must not wait. Items that do not begin with what is typed are left out.
local function complete(typed)
  local folder = typed:match("^(.*/)") or ""
  local items = {} ---@type panto.tui.Choice[]
  for _, entry in ipairs(panto.fs.list(panto.fs.join(panto.fs.cwd(), folder)) or {}) do
    local is_folder = entry.type == "directory"
    items[#items + 1] = { label = folder .. entry.name .. (is_folder and "/" or "") }
  end
  return items
end

return {
  name = "peek",
  activate = function()
    panto.ext.register_command({
      name = "peek",
      description = "Show the first lines of a file.",
      handler = peek,
      complete = complete,
    })
  end,
}
