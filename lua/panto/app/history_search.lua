-- An earlier prompt into the editor, chosen from a list that typing filters.

local dialog = require("panto.app.dialog")

local history_search = {}

local LONGEST = 200

local function label_of(text)
  local line = text:gsub("%s*\n%s*", " ⏎ ")
  return #line > LONGEST and line:sub(1, utf8.offset(line, 0, LONGEST) - 1) .. "…" or line
end

--- Lets the user choose; what was being written stays when none is chosen.
---@param app panto.App
function history_search.run(app)
  local items = {}
  for index, text in ipairs(app.view.editor.history:search("")) do
    items[index] = { label = label_of(text), value = text }
  end
  if not items[1] then
    app:tell("info", "There is no earlier prompt.")
    return
  end
  local text = dialog.select(app.view, { title = "Earlier prompts", items = items })
  if text then
    app.view.draft:set(text)
    app.frame:mark()
  end
end

return history_search
