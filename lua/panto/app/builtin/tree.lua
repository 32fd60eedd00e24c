-- /tree: goes back to an earlier message and on from there; what came after it stays in the file.

local dialog = require("panto.app.dialog")
local resumed = require("panto.app.resumed")
local task = require("panto.sys.task")
local tree = require("panto.session.tree")

-- Of a session of this size the reading takes long enough to be told.
local LONG_BYTES = 100 * 1024 * 1024

local function items_of(places)
  local items = {}
  for i = #places, 1, -1 do
    local place = places[i]
    local who = place.role == "user" and "›" or "·"
    items[#items + 1] = {
      label = ("%s %s"):format(who, place.text),
      description = not place.is_active and "another branch" or nil,
      value = i,
    }
  end
  return items
end

-- Before what the user said, its text in the editor again; or after an answer and its results.
local function go_to(app, place)
  local log = app.conversation.log
  local text
  if place.role == "user" then
    text = app.conversation:text_of(place.entry)
    app.conversation:go_to(log:before(place.entry))
  else
    app.conversation:go_to(place.tip)
  end
  resumed.show_end(app)
  app:tell("info", "The next message goes on from here; what came after it is kept (/tree).")
  if text and app.view.draft:is_empty() then
    app.view.draft:set(text)
  end
end

--- Goes back to the message that the user chooses.
---@param app panto.App
local function run(app)
  if app.turns.running then
    app:tell("warning", "A turn is running: stop it with Esc, then go back.")
    return
  end
  local log = app.conversation.log
  if log:bytes() > LONG_BYTES then
    app:tell("info", "Reading the session…")
  end
  local places = tree.read(log, function()
    task.sleep(0)
  end)
  if not places[1] then
    app:tell("info", "Nothing has been said yet.")
    return
  end
  local chosen = dialog.select(app.view, { title = "Go back to", items = items_of(places) })
  if chosen and (app.turns.running or app.conversation.log ~= log) then
    app:tell("warning", "The conversation went on meanwhile; nothing was changed.")
  elseif chosen then
    go_to(app, places[chosen])
  end
end

---@type panto.Builtin
return { name = "tree", description = "Go back to an earlier message.", run = run }
