-- Lines of `panto lua` from a terminal: editing, history and completion on the luv loop, so that
-- timers and sockets go on while one types.

local capture = require("panto.app.capture")
local complete = require("panto.cli.lua_complete")
local draft = require("panto.tui.draft")
local editor = require("panto.tui.components.editor")
local editor_view = require("panto.tui.components.editor_view")
local env = require("panto.sys.env")
local history = require("panto.tui.history")
local keys_in = require("panto.app.keys_in")
local prompt_history = require("panto.app.prompt_history")
local screen = require("panto.tui.screen")
local signal = require("panto.sys.signal")
local style = require("panto.tui.style")
local task = require("panto.sys.task")
local term = require("panto.sys.term")

local HISTORY = "lua_history.jsonl"
local PASTE_ON, PASTE_OFF = "\27[?2004h", "\27[?2004l"

---@class panto.cli.Lines
---@field term panto.Terminal
---@field screen panto.tui.Screen
---@field editor panto.tui.Editor
local Lines = {}
Lines.__index = Lines

local lua_lines = {}

--- Opens the terminal for reading lines.
---@return panto.cli.Lines?
---@return string? message
function lua_lines.open()
  local opened, message = term.open()
  if not opened then
    return nil, message
  end
  local self = setmetatable({ term = opened }, Lines)
  self.screen = screen.new({
    cols = opened.cols,
    rows = opened.rows,
    write = function(bytes)
      opened:write(bytes)
    end,
  })
  self.editor = editor.new({
    draft = draft.new(),
    history = history.new(prompt_history.read(HISTORY)),
    theme = style.new({ depth = style.depth(env.get) }),
    complete = function(line, col, is_asked)
      return is_asked and complete.complete(line, col) or nil
    end,
  })
  opened:on_restore(PASTE_OFF .. "\27[?25h")
  self.is_held = true
  self:release()
  return self
end

-- What ran before may have left the cursor anywhere: the mark wraps unless it stands at a line's start.
local function begin(self)
  if self.is_held then
    return
  end
  self.is_held = true
  self.term:resume()
  local cols = self.term.cols
  self.screen:resize(cols, self.term.rows)
  self.term:write(PASTE_ON .. "\27[2m~\27[0m" .. (" "):rep(cols - 1) .. "\r\27[K")
  self.screen:resume()
end

--- Gives the terminal back, until the next `read`, for a chunk to run in.
function Lines:release()
  if self.is_held then
    self.is_held = false
    self.screen:suspend()
    self.term:write(PASTE_OFF)
    self.term:pause()
  end
end

local function rows_of(self)
  self.editor.width = self.screen.cols
  local lines, cursor = editor_view.render(self.editor, self.screen.cols)
  cursor.row = cursor.row - 1 -- the view draws a rule above and below
  return table.move(lines, 2, #lines - 1, 1, {}), cursor
end

local function draw(self)
  if self.term:measure() then
    self.screen:resize(self.term.cols, self.term.rows)
  end
  self.editor:set_max_rows(math.max(3, self.term.rows - 2))
  local lines, cursor = rows_of(self)
  if self.editor.list then
    local list = self.editor.list:render(self.screen.cols)
    table.move(list, 1, #list, #lines + 1, lines)
  end
  self.screen:draw(lines, cursor)
end

local function keep(self)
  self.editor.list = nil
  self.screen:append((rows_of(self)))
end

-- What is typed while a chunk runs comes with the terminal's own line ends: Ctrl+J.
local function is_enter(event)
  local is_plain = event.type == "key" and not event.shift and not event.alt
  return is_plain and (event.key == "enter" or event.ctrl and event.key == "j")
end

-- The line is written above before Enter empties the draft.
local function take(self, event)
  if is_enter(event) and not self.editor.list then
    keep(self)
    local text = self.editor.draft:text()
    if self.editor.history:add(text) then
      prompt_history.add(text, HISTORY)
    end
    self.editor.draft:reset()
    self.answer = { text = text }
    return
  end
  local action = self.editor:handle(event)
  if not action then
    return
  elseif action.eof then
    self.answer = { is_over = true }
  elseif action.cancel then
    keep(self)
    self.editor.draft:reset()
    self.answer = {}
  elseif action.action == "suspend" then
    self:release()
    signal.raise("sigstop")
    begin(self)
  end
end

local function read(self)
  local keyboard = keys_in.new(function(event)
    if not self.answer then
      take(self, event)
    end
  end)
  draw(self)
  while not self.answer do
    local event = self.term.events:take()
    if event.type == "input" then
      keyboard:feed(event.data)
    elseif event.type == "eof" then
      self.answer = { is_over = true }
    end
    if not self.answer then
      draw(self)
    end
  end
  self.screen:draw({ "" })
end

--- Reads what is typed until Enter; it may have several lines.
---@param prompt string
---@return string? text nil when it was given up with Ctrl+C or Ctrl+D
---@return boolean is_over true for Ctrl+D
function Lines:read(prompt)
  self.editor.prompt, self.answer = prompt, nil
  begin(self)
  local uncapture = capture.start(function(text)
    for line in text:gsub("\n$", ""):gmatch("[^\n]+") do
      self.screen:append({ line })
    end
    draw(self)
  end)
  task.loop(read, self)
  uncapture()
  return self.answer.text, self.answer.is_over == true
end

return lua_lines
