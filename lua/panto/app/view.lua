-- The live part of the screen: running blocks, queued texts, spinner, editor, footer.

local clock = require("panto.sys.clock")
local container = require("panto.tui.container")
local draft = require("panto.tui.draft")
local editor = require("panto.tui.components.editor")
local footer = require("panto.tui.components.footer")
local history = require("panto.tui.history")
local spinner = require("panto.tui.components.spinner")
local task = require("panto.sys.task")
local user_text = require("panto.tui.components.user_text")

local TICK_MS = 100

---@class panto.View
---@field editor panto.tui.Editor
---@field footer panto.tui.Footer
---@field spinner panto.tui.Spinner
local View = {}
View.__index = View

local view = {}

local function queued_rows(self)
  return {
    render = function(_, width)
      local lines = { self.queue.entries[1] and "" }
      for _, entry in ipairs(self.queue.entries) do
        local note = entry.kind == "steer" and "queued" or "queued for after the turn"
        local row = user_text.new({ text = entry.text, theme = self.theme, note = note })
        local rows = row:render(width)
        table.move(rows, 1, #rows, #lines + 1, lines)
      end
      return lines
    end,
  }
end

local BLANK = {
  render = function()
    return { "" }
  end,
}

---@class panto.ViewOptions
---@field theme panto.tui.Theme
---@field transcript panto.Transcript
---@field queue panto.Queue
---@field history string[] earlier prompts, oldest first
---@field complete fun(line: string, col: integer): panto.tui.Completion?
---@field changed fun()
---@field mount fun(name: string, default: table): table lets extensions replace a fixed part

--- Makes the live part. Extensions may replace the editor, the spinner and the footer.
---@param options panto.ViewOptions
---@return panto.View
function view.new(options)
  local self = setmetatable({
    theme = options.theme,
    queue = options.queue,
    changed = options.changed,
    transcript = options.transcript,
    overlays = {},
  }, View)
  self.draft = draft.new()
  self.editor = editor.new({
    draft = self.draft,
    history = history.new(options.history),
    theme = options.theme,
    complete = options.complete,
  })
  self.footer = footer.new({ theme = options.theme })
  self.spinner = spinner.new({ theme = options.theme })
  self.input = options.mount("editor", self.editor)
  self.live = container.new({
    options.transcript,
    queued_rows(self),
    BLANK,
    options.mount("spinner", self.spinner),
    self.input,
    options.mount("footer", self.footer),
  })
  return self
end

--- Puts a component in the editor's place; it gets the keys until the returned function is called.
--- The last one opened is the one that is shown.
---@param component table with render and handle
---@return fun() close
function View:open_overlay(component)
  local overlays = self.overlays
  overlays[#overlays + 1] = component
  self:place_top()
  return function()
    for i, other in ipairs(overlays) do
      if other == component then
        table.remove(overlays, i)
        break
      end
    end
    self:place_top()
  end
end

--- Shows the overlay that was opened last, or the editor.
function View:place_top()
  local top = self.overlays[#self.overlays] or self.input
  self.live:set(self.top or self.input, top)
  self.top = top
  self.changed()
end

--- Hands an event to the overlay, else to the editor; returns the editor's action.
---@param event table
---@return table? action
function View:handle(event)
  local top = self.overlays[#self.overlays]
  if top then
    top:handle(event)
    return nil
  end
  return self.editor:handle(event)
end

--- Renders all live lines and where the cursor is.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor
function View:render(width)
  return self.live:render(width)
end

--- Shows that work goes on; returns what ends it.
---@param label string
---@return fun() stop
function View:start_spinner(label)
  local started = clock.mono_ms()
  self.label = label
  local ticker = task.run(function()
    while true do
      self.spinner:set(self.label, "esc to stop")
      self.spinner:tick((clock.mono_ms() - started) // 1000)
      self.changed()
      task.sleep(TICK_MS)
    end
  end)
  return function()
    task.cancel(ticker)
    self.spinner:set(nil)
    self.changed()
  end
end

--- Sets what the running spinner says.
---@param label string
function View:set_label(label)
  self.label = label
end

return view
