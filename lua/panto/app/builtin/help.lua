-- /help: the commands there are, and the keys.

local KEYS = {
  { "Enter", "send; while a turn runs, for after its running calls" },
  { "Alt+Enter", "send after the turn; Alt+Up takes the last back" },
  { "Shift+Enter, Ctrl+J", "new line" },
  { "Esc", "stop the turn" },
  { "Ctrl+C", "stop, clear, leave" },
  { "Ctrl+D", "leave" },
  { "Ctrl+L, Ctrl+R", "choose the model, how hard it thinks" },
  { "Ctrl+G", "write the draft in $VISUAL or $EDITOR" },
  { "Alt+R", "choose from earlier prompts" },
  { "Tab", "complete a command, or a file behind @" },
  { "Ctrl+O, Ctrl+T", "whole results, whole thinking" },
  { "F6", "give the keys to the next component that takes them; Esc takes them back" },
  { "Ctrl+Z", "suspend" },
}

local function aligned(rows)
  local lines = {}
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("  %-22s %s"):format(row[1], row[2])
  end
  return table.concat(lines, "\n")
end

--- Shows the commands and keys in the transcript.
---@param app panto.App
local function run(app)
  local rows = {}
  for _, command in ipairs(app.setup.registry:commands()) do
    rows[#rows + 1] = { "/" .. command.name, command.description or "" }
  end
  local keys = { table.unpack(KEYS) }
  for _, key in ipairs(app.setup.registry:keys()) do
    keys[#keys + 1] = { key.key, key.description or "of the extension " .. key.entry }
  end
  app:tell("info", "Commands\n" .. aligned(rows) .. "\n\nKeys\n" .. aligned(keys))
end

---@type panto.Builtin
return { name = "help", description = "Show the commands and keys.", run = run }
