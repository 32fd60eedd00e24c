-- Questions to the user that wait for the answer: a choice, yes or no, a line of text.

local draft = require("panto.tui.draft")
local editor = require("panto.tui.components.editor")
local box = require("panto.tui.components.box")
local history = require("panto.tui.history")
local select_list = require("panto.tui.components.select_list")
local task = require("panto.sys.task")

local dialog = {}

-- Shows a component until `take(event)` answers; a cancelled task takes it off the screen.
local function ask(view, component, kind, take)
  return task.wait(function(resume)
    local close
    local overlay = {
      render = function(_, width)
        return component:render(width)
      end,
      handle = function(_, event)
        local done, value = take(event)
        if done then
          close()
          resume(value)
        end
      end,
    }
    close = view:open_overlay(overlay, kind)
    return close
  end)
end

---@class panto.SelectOptions
---@field title string?
---@field items (string|panto.tui.Choice)[]
---@field selected any? the value that is selected at first

--- Lets the user choose from a list that typing filters; nil when it is left with Esc.
---@param view panto.View
---@param options panto.SelectOptions
---@return any? value
function dialog.select(view, options)
  local items = {}
  for i, item in ipairs(options.items) do
    items[i] = type(item) == "table" and item or { label = tostring(item) }
  end
  local list = select_list.new({
    items = items,
    title = options.title,
    theme = view.theme,
    selected = options.selected,
  })
  return ask(view, list, "select", function(event)
    local answer = list:handle(event)
    if answer then
      return true, answer.chosen
    end
  end)
end

--- Asks for yes or no; Esc is no.
---@param view panto.View
---@param question string
---@return boolean
function dialog.confirm(view, question)
  local items = { { label = "Yes", value = true }, { label = "No", value = false } }
  return dialog.select(view, { title = question, items = items }) == true
end

--- Asks for a text; nil when it is left with Esc.
---@param view panto.View
---@param options { title: string, text: string? }
---@return string?
function dialog.input(view, options)
  local written = draft.new()
  written:set(options.text or "")
  local line = editor.new({ draft = written, history = history.new(), theme = view.theme })
  local framed = box.new({ child = line, theme = view.theme, title = options.title })
  return ask(view, framed, "input", function(event)
    local action = line:handle(event)
    if action and action.submit then
      return true, action.submit
    end
    local left = action and (action.cancel or action.eof or action.action == "escape")
    return left or false, nil
  end)
end

return dialog
