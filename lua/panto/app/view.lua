-- The live part of the screen: running blocks, queued texts, spinner, editor, footer.

local clock = require("panto.sys.clock")
local container = require("panto.tui.container")
local draft = require("panto.tui.draft")
local editor = require("panto.tui.components.editor")
local footer = require("panto.tui.components.footer")
local history = require("panto.tui.history")
local key_event = require("panto.tui.key_event")
local keymap = require("panto.tui.keymap")
local lua_view = require("panto.app.lua_view")
local spinner = require("panto.tui.components.spinner")
local task = require("panto.sys.task")
local user_text = require("panto.tui.components.user_text")

local TICK_MS = 100
local PARTS = { "spinner", "editor", "footer" }

---@class panto.View
---@field editor panto.tui.Editor
---@field footer panto.tui.Footer
---@field spinner panto.tui.Spinner
---@field is_plain boolean? only the editor or the overlay is shown, for a screen reader
---@field parts table<string, table> what is drawn of editor, spinner and footer
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

-- The transcript's rows, counted: between them and the rest blank rows may stand. The echo of a key
-- has those of the last frame.
local function counted(self)
  return {
    render = function(_, width)
      if not (self.is_echo and self.transcript_width == width) then
        self.transcript_lines, self.transcript_width = self.transcript:render(width), width
        self.transcript_rows = #self.transcript_lines
      end
      return self.transcript_lines
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
---@field keys table<string, string>? the user's own bindings
---@field changed fun()
---@field mount fun(name: string, default: table, payload: table?): table lets extensions replace a part

--- Makes the live part. Extensions may replace the editor, the spinner and the footer.
---@param options panto.ViewOptions
---@return panto.View
function view.new(options)
  local self = setmetatable({
    theme = options.theme,
    queue = options.queue,
    changed = options.changed,
    transcript = options.transcript,
    mount = options.mount,
    overlays = {},
    parts = {},
  }, View)
  self.draft = draft.new()
  self.editor = editor.new({
    draft = self.draft,
    history = history.new(options.history),
    theme = options.theme,
    complete = options.complete,
    bindings = keymap.editor(options.keys),
  })
  self.footer = footer.new({ theme = options.theme })
  self.spinner = spinner.new({ theme = options.theme })
  -- What wraps the editor hands on its keys, and the action that these make.
  self.editor.handleInput = function(made, _, event)
    return made:handle(event)
  end
  local parts = self.parts
  for _, name in ipairs(PARTS) do
    parts[name] = options.mount(name, self[name])
  end
  self.top = parts.editor
  self.live = container.new({
    counted(self),
    queued_rows(self),
    BLANK,
    parts.spinner,
    parts.editor,
    parts.footer,
  })
  return self
end

--- Asks the extensions anew for editor, spinner and footer.
function View:mount_parts()
  for _, name in ipairs(PARTS) do
    local former, part = self.parts[name], self.mount(name, self[name])
    self.parts[name] = part
    -- An overlay may stand in the editor's place.
    if self.live:set(former, part) and self.top == former then
      self.top = part
    end
  end
  self.changed()
end

--- Returns what extensions show here and can give the keys to; the editor has them anyway.
---@return panto.LuaView[]
function View:views()
  local found = {}
  for _, name in ipairs({ "spinner", "footer" }) do
    local part = self.parts[name]
    if getmetatable(part) == lua_view.class then
      found[#found + 1] = part
    end
  end
  return found
end

-- An extension may wrap or replace an overlay; Esc and Ctrl+C are panto's, to get out of it.
local function mount_overlay(self, component, kind)
  component.handleInput = function(made, _, event)
    return made:handle(event)
  end
  local shown = self.mount("overlay", component, { kind = kind })
  if getmetatable(shown) ~= lua_view.class then
    return shown
  end
  return {
    render = function(_, width)
      return shown:render(width)
    end,
    handle = function(_, event)
      local name = event.type == "key" and key_event.name(event)
      if shown:takes_keys() and name ~= "escape" and name ~= "ctrl+c" then
        shown:handle_input(event)
      else
        component:handle(event)
      end
    end,
  }
end

--- Puts a component in the editor's place; it gets the keys until the returned function is called.
--- The last one opened is the one that is shown.
---@param component table with render and handle
---@param kind string? what it is, for the event "overlay"
---@return fun() close
function View:open_overlay(component, kind)
  local overlays = self.overlays
  local shown = mount_overlay(self, component, kind)
  overlays[#overlays + 1] = shown
  self:place_top()
  return function()
    for i, other in ipairs(overlays) do
      if other == shown then
        table.remove(overlays, i)
        break
      end
    end
    self:place_top()
  end
end

--- Shows the overlay that was opened last, or the editor.
function View:place_top()
  local top = self.overlays[#self.overlays] or self.parts.editor
  self.live:set(self.top, top)
  self.top = top
  self.changed()
end

-- What an editor of an extension returns is an action, as of the default one.
local function edit(self, event)
  local part = self.parts.editor
  local name = event.type == "key" and key_event.name(event)
  local is_own = getmetatable(part) ~= lua_view.class or not part:takes_keys()
  if is_own or name == "ctrl+c" or event.type == "reply" then
    return self.editor:handle(event)
  end
  local action = part:handle_input(event)
  return type(action) == "table" and action or nil
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
  return edit(self, event)
end

--- Tells whether something is shown in the editor's place.
---@return boolean
function View:has_overlay()
  return self.overlays[1] ~= nil
end

--- Renders all live lines and where the cursor is.
---@param width integer
---@param is_echo boolean? the transcript's rows are those of the last frame
---@return string[] lines
---@return panto.tui.Cursor? cursor
---@return integer rows how many of the lines are the transcript's
function View:render(width, is_echo)
  self.is_echo = is_echo
  if self.is_plain then
    local lines, cursor = container.render(self.top, width)
    return lines, cursor, 0
  end
  local lines, cursor = self.live:render(width)
  return lines, cursor, self.transcript_rows
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
