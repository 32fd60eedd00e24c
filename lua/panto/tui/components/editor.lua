-- Turns key events into changes of a draft and the draft into lines with a cursor.
local editor_view = require("panto.tui.components.editor_view")
local key_event = require("panto.tui.key_event")
local keymap = require("panto.tui.keymap")
local select_list = require("panto.tui.components.select_list")

local editor = {}

local Editor = {}
Editor.__index = Editor

---@class panto.tui.Completion
---@field start integer bytes of the line before what an item replaces
---@field items panto.tui.Choice[] `value` is the text that is put in

---@class panto.tui.EditorOptions
---@field draft panto.tui.Draft
---@field history panto.tui.History
---@field theme panto.tui.Theme
---@field prompt string? what the first row begins with (default "› ")
---@field placeholder string? what an empty draft shows
---@field bindings table<string, string>? command by key name (default: keymap.editor())
---@field complete (fun(line: string, col: integer, is_asked: boolean): panto.tui.Completion?)?
---  completions of what stands before the cursor; `is_asked` when Tab was pressed

---@class panto.tui.Editor
---@field draft panto.tui.Draft
---@field max_rows integer most rows of the draft that are shown
---@field list panto.tui.SelectList? completions that are offered

--- Makes an editor over a draft and a history.
---@param options panto.tui.EditorOptions
---@return panto.tui.Editor
function editor.new(options)
  return setmetatable({
    draft = options.draft,
    history = options.history,
    theme = options.theme,
    prompt = options.prompt or "› ",
    placeholder = options.placeholder,
    bindings = options.bindings or keymap.editor(),
    complete = options.complete,
    max_rows = 12,
    width = 80,
    list = nil,
    list_start = 0,
  }, Editor)
end

-- Commands that need more than a method of the draft; each returns the action, if there is one.
local commands = {}

function commands.submit(self)
  local draft = self.draft
  local line = draft.lines[draft.row]
  if line:sub(draft.col, draft.col) == "\\" and draft.col > 0 then
    draft:replace(draft.row, draft.col - 1, draft.row, draft.col, "\n")
    return nil
  end
  local text = draft:text()
  if not text:find("%S") then
    return nil
  end
  self.history:add(text)
  draft:reset()
  return { submit = text }
end

function commands.follow_up(self)
  local text = self.draft:text()
  if not text:find("%S") then
    return nil
  end
  self.history:add(text)
  self.draft:reset()
  return { follow_up = text }
end

function commands.eof_or_delete(self)
  if self.draft:is_empty() then
    return { eof = true }
  end
  self.draft:delete()
  return nil
end

function commands.cancel()
  return { cancel = true }
end

function commands.up(self)
  local draft = self.draft
  if draft:up(editor_view.columns(self)) then
    return
  end
  local entry = self.history:older(draft:save())
  if entry then
    draft:set(entry)
  else
    draft:home()
  end
end

function commands.down(self)
  local draft = self.draft
  if draft:down(editor_view.columns(self)) then
    return
  end
  local entry, saved = self.history:newer()
  if entry then
    draft:set(entry)
  elseif saved then
    draft:restore(saved)
  else
    draft:to_end()
  end
end

local function page(step)
  return function(self)
    local columns = editor_view.columns(self)
    for _ = 1, self.max_rows do
      self.draft[step](self.draft, columns)
    end
  end
end
commands.page_up, commands.page_down = page("up"), page("down")

local function offer(self, is_asked)
  local draft = self.draft
  local found = self.complete and self.complete(draft.lines[draft.row], draft.col, is_asked)
  self.may_offer = true
  if not found or #found.items == 0 then
    self.list = nil
    return false
  end
  self.list_start = found.start
  self.list = select_list.new({ items = found.items, theme = self.theme, has_filter = false })
  return true
end

local function accept(self, item)
  local draft = self.draft
  local value = item.value == nil and item.label or item.value
  draft:replace(draft.row, self.list_start, draft.row, draft.col, value)
  self.list = nil
  if item.goes_on then -- a folder: what is in it comes next
    offer(self, false)
  end
end

function commands.complete(self)
  if self.draft:expand_paste() then
    return
  end
  if not offer(self, true) then
    self.draft:insert("\t")
  elseif #self.list.items == 1 then
    accept(self, self.list.items[1])
  end
end

local LIST_STEPS = { up = -1, down = 1, ["shift+tab"] = -1, ["ctrl+p"] = -1, ["ctrl+n"] = 1 }

-- A key while completions are offered; true when it was theirs.
local function list_key(self, name)
  local step = LIST_STEPS[name]
  if step then
    self.list:move(step)
  elseif name == "tab" or name == "enter" then
    local item = self.list:get()
    local draft = self.draft
    local typed = draft.lines[draft.row]:sub(self.list_start + 1, draft.col)
    local is_whole = typed == (item.value or item.label)
    accept(self, item)
    return name == "tab" or not is_whole
  elseif name == "escape" then
    self.list = nil
  else
    return false
  end
  return true
end

local function run(self, name)
  local command = self.bindings[name]
  if not command then
    return nil
  end
  local own = commands[command]
  if own then
    return own(self)
  end
  local method = self.draft[command]
  if method then
    method(self.draft)
    return nil
  end
  return { action = command }
end

--- Takes an event and changes the draft; returns an action for the app, or nil.
--- Actions: { submit = text }, { follow_up = text }, { cancel = true }, { eof = true } and
--- { action = name } for every bound command that is none of the editor's.
---@param event table
---@return table? action
function Editor:handle(event)
  if event.type == "paste" then
    self.draft:paste(event.text)
    self.list = nil
    return nil
  elseif event.type ~= "key" then
    return nil
  end
  self.may_offer = false
  local name = key_event.name(event)
  if self.list and list_key(self, name) then
    return nil
  end
  if event.text and not self.bindings[name] then
    self.draft:insert(event.text)
    offer(self, false)
    return nil
  end
  local had_list = self.list ~= nil
  local action = run(self, name)
  if self.bindings[name] ~= "complete" and had_list then
    offer(self, false)
  end
  return action
end

--- Asks for the completions anew, after more of them have become known.
function Editor:refresh()
  if self.may_offer and not (self.list and self.list.at > 1) then
    offer(self, false)
  end
end

--- Sets the most rows of the draft that are shown at once.
---@param rows integer
function Editor:set_max_rows(rows)
  self.max_rows = math.max(1, rows)
end

-- Whether all that the rows are made of is as it was.
local function is_unchanged(self, drawn, width)
  local draft = self.draft
  return drawn ~= nil
    and drawn.version == draft.version
    and drawn.row == draft.row
    and drawn.col == draft.col
    and drawn.width == width
    and drawn.max_rows == self.max_rows
    and drawn.starts == self.theme.starts
end

-- The rows of the draft; while an answer streams they are mostly those of the frame before.
local function draw(self, width)
  local draft, drawn = self.draft, self.drawn
  if not is_unchanged(self, drawn, width) then
    drawn = {
      version = draft.version,
      row = draft.row,
      col = draft.col,
      width = width,
      max_rows = self.max_rows,
      starts = self.theme.starts,
    }
    drawn.lines, drawn.cursor = editor_view.render(self, width)
    self.drawn = drawn
  end
  local cursor = drawn.cursor
  return table.move(drawn.lines, 1, #drawn.lines, 1, {}), { row = cursor.row, col = cursor.col }
end

--- Renders the draft between two rules, with the completions below.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor cursor
function Editor:render(width)
  self.width = width
  local lines, cursor = draw(self, width)
  if self.list then
    local rows = self.list:render(width)
    table.move(rows, 1, #rows, #lines + 1, lines)
  end
  return lines, cursor
end

return editor
