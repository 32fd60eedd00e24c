-- Makes panto.ui work on a screen: dialogs that wait, notices, the focus.

local dialog = require("panto.app.dialog")
local panto = require("panto")

local ui = {}

local LEVELS = { info = true, warning = true, error = true }

local function check_options(options, what)
  if type(options) ~= "table" then
    error(("%s wants a table of options, not a %s"):format(what, type(options)), 3)
  end
end

local function build(app)
  local made = {}
  function made.select(options)
    check_options(options, "select")
    if type(options.items) ~= "table" then
      error("select wants items, a list", 2)
    end
    return dialog.select(app.view, options)
  end
  function made.confirm(question)
    return dialog.confirm(app.view, tostring(question))
  end
  function made.input(options)
    options = type(options) == "string" and { title = options } or options
    check_options(options, "input")
    return dialog.input(app.view, options)
  end
  function made.notify(text, level)
    app:tell(LEVELS[level] and level or "info", tostring(text))
  end
  function made.submit(text)
    app:submit(tostring(text))
  end
  function made.focus(component)
    app.focus:set(component)
  end
  function made.invalidate()
    app.frame:mark()
  end
  return made
end

--- Binds panto.ui to an app; returns what makes it screenless again.
---@param app panto.App
---@return fun() restore
function ui.install(app)
  local before = {}
  for name, fn in pairs(build(app)) do
    before[name] = panto.ui[name]
    panto.ui[name] = fn
  end
  return function()
    for name, fn in pairs(before) do
      panto.ui[name] = fn
    end
  end
end

return ui
