-- panto.ui where there is no screen (panto run, panto lua): a question cannot be asked there.

local screenless = {}

local function refuse(name)
  error(("panto.ui.%s needs panto's screen, and here is none"):format(name), 3)
end

--- Lets the user choose from a list that typing filters; nil when it is left with Esc. Waits.
---@param options { title: string?, items: (string|panto.tui.Choice)[], selected: any }
---@return any? value of the item, its text when it has none
function screenless.select(options) -- luacheck: ignore 212
  refuse("select")
end

--- Asks for yes or no; Esc is no. Waits.
---@param question string
---@return boolean
function screenless.confirm(question) -- luacheck: ignore 212
  refuse("confirm")
end

--- Asks for a text; nil when it is left with Esc. Waits.
---@param options { title: string, text: string? }
---@return string? text
function screenless.input(options) -- luacheck: ignore 212
  refuse("input")
end

--- Shows a message in the transcript; on standard error where there is no screen.
---@param text string?
---@param level? "info"|"warning"|"error"
function screenless.notify(text, level)
  io.stderr:write(
    "panto: ",
    level and level ~= "info" and level .. ": " or "",
    tostring(text),
    "\n"
  )
end

--- Says a text as the user would: it begins a turn, or is queued while one runs; a line that begins
--- with "/" is a command.
---@param text string
function screenless.submit(text) -- luacheck: ignore 212
  refuse("submit")
end

--- Gives the keys to a component with handleInput that is on the screen; nil gives them back, as
--- Esc does.
---@param component table?
function screenless.focus(component) -- luacheck: ignore 212
  refuse("focus")
end

--- Says that a component has changed: the next frame draws it.
function screenless.invalidate() end

return screenless
