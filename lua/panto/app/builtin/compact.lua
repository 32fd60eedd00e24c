-- /compact [instructions]: has the older part of the conversation summarised now.

--- Compacts, or says why not now.
---@param app panto.App
---@param args string what the user wants of the summary
local function run(app, args)
  if app.turns.running then
    app:tell("warning", "A turn is running: stop it with Esc, or compact when it has ended.")
  elseif not app.setup.choice then
    app:tell("error", app.setup.no_model:match("^[^\n]*"))
  else
    app:compact(args)
  end
end

---@type panto.Builtin
return { name = "compact", description = "Summarise the older messages to make room.", run = run }
