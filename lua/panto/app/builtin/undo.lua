-- /undo: puts back the files that the last turn wrote and edited, and says what it cannot.

local undo = require("panto.app.undo")

--- Puts back the files of the last turn and tells what was done.
---@param app panto.App
local function run(app)
  if app.turns.running then
    app:tell("warning", "A turn is running: stop it with Esc, then undo.")
    return
  end
  local done, left = undo.run(app.conversation)
  if not done then
    app:tell("info", "No turn of this conversation has changed a file that is not undone.")
    return
  end
  if done[1] then
    app:tell("info", "Undone:\n  " .. table.concat(done, "\n  "))
  end
  if left[1] then
    app:tell("warning", "Not undone:\n  " .. table.concat(left, "\n  "))
  end
end

---@type panto.Builtin
return { name = "undo", description = "Put back the files of the last turn.", run = run }
