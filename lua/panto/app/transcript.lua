-- Turns the events of a conversation into blocks on the screen: finished ones go to the scrollback
-- once, the others stay live below them.

local notice = require("panto.tui.components.notice")
local text = require("panto.tui.components.text")
local thinking = require("panto.tui.components.thinking")
local tool_row = require("panto.tui.components.tool_row")
local user_text = require("panto.tui.components.user_text")
local container = require("panto.tui.container")

---@class panto.Block
---@field component table
---@field kind string
---@field done boolean nothing of it changes any more
---@field begun boolean its first lines are in the scrollback
---@field reply integer the answer it belongs to

---@class panto.Transcript
---@field blocks panto.Block[]
---@field tools table<string, panto.Block> by call id
local Transcript = {}
Transcript.__index = Transcript

local transcript = {}

local function add(self, kind, component, done)
  local block =
    { kind = kind, component = component, done = done, begun = false, reply = self.reply }
  self.blocks[#self.blocks + 1] = block
  return block
end

local handlers = {}

function handlers.user_message(self, e)
  add(self, "user", user_text.new({ text = e.text, theme = self.theme }), true)
end

function handlers.turn_start(self)
  self.reply = self.reply + 1
end

function handlers.thinking(self)
  self.open = add(
    self,
    "thinking",
    thinking.new({
      theme = self.theme,
      is_expanded = self.thinking_expanded,
    })
  )
end

function handlers.thinking_delta(self, e)
  self.open.component:add(e.delta)
end

function handlers.assistant_text(self)
  self.open = add(self, "text", text.new({ theme = self.theme }))
end

handlers.assistant_text_delta = handlers.thinking_delta

local function close_open(self)
  local open = self.open
  if open then
    self.open = nil
    open.component:finish()
    open.done = true
  end
end

handlers.thinking_complete = close_open
handlers.assistant_text_complete = close_open

function handlers.tool(self, e)
  local row = tool_row.new({ theme = self.theme, name = e.tool_name })
  row:set_expanded(self.results_expanded)
  self.tools[e.id] = add(self, "tool", row)
end

function handlers.tool_details(self, e)
  local block = self.tools[e.id]
  if block then
    block.component:set_input(e.input)
  end
end

function handlers.tool_progress(self, e)
  local block = self.tools[e.id]
  if block then
    block.component:add_output(e.delta)
  end
end

function handlers.tool_result(self, e)
  local block = self.tools[e.id]
  if not block then
    return
  end
  local diff = not e.is_error and type(e.details) == "table" and e.details.diff or nil
  block.component:finish({ output = e.output, is_error = e.is_error, diff = diff })
  block.done = true
  self.tools[e.id] = nil
  self.last_tool = block.component
  self.reply = block.reply + 1
end

function handlers.notice(self, e)
  add(self, "notice", notice.new({ text = e.text, theme = self.theme, level = e.level }), true)
end

function handlers.error(self, e)
  local component = notice.new({ text = e.message, theme = self.theme, level = "error" })
  add(self, "notice", component, true)
end

function handlers.restart(self)
  local kept, begun = {}, false
  for _, block in ipairs(self.blocks) do
    local dropped = block.reply == self.reply and block.kind ~= "user" and block.kind ~= "notice"
    begun = begun or dropped and block.begun
    if not dropped then
      kept[#kept + 1] = block
    end
  end
  self.blocks, self.tools, self.open = kept, {}, nil
  if begun then
    handlers.notice(self, { text = "The answer broke off; it starts again.", level = "warning" })
  end
end

function handlers.turn_end(self, e)
  close_open(self)
  for _, block in pairs(self.tools) do
    block.component:finish({ output = "not run", is_error = true })
    block.done = true
  end
  self.tools = {}
  if e.status == "aborted" then
    handlers.notice(self, { text = "Stopped.", level = "warning" })
  end
end

--- Makes the transcript and subscribes it; `changed` is called after each event that shows.
---@param options { bus: panto.Bus, theme: panto.tui.Theme, changed: fun() }
---@return panto.Transcript
function transcript.new(options)
  local self = setmetatable({
    theme = options.theme,
    blocks = {},
    tools = {},
    reply = 0,
    thinking_expanded = false,
    results_expanded = false,
  }, Transcript)
  local owner = { entry = "panto", source = "app/transcript.lua" }
  for name, handle in pairs(handlers) do
    options.bus:on(name, function(e)
      handle(self, e)
      options.changed()
    end, owner)
  end
  return self
end

-- An empty line parts blocks, but not a tool row from the one before it.
local function lead(self, block)
  local parted = not (block.kind == "tool" and self.last_kind == "tool")
  self.last_kind = block.kind
  return parted
end

local function push(lines, self, block, rows)
  if #rows == 0 then
    return
  end
  if not block.begun and lead(self, block) then
    lines[#lines + 1] = ""
  end
  block.begun = true
  table.move(rows, 1, #rows, #lines + 1, lines)
end

--- Takes the lines that are finished, for the scrollback.
---@param width integer
---@return string[]
function Transcript:take(width)
  local lines = {}
  while self.blocks[1] do
    local block = self.blocks[1]
    local component = block.component
    if component.take then
      push(lines, self, block, component:take(width))
    elseif block.done then
      push(lines, self, block, (container.render(component, width)))
    end
    if not block.done then
      break
    end
    table.remove(self.blocks, 1)
  end
  return lines
end

--- Renders the blocks that still change.
---@param width integer
---@return string[]
function Transcript:render(width)
  local lines = {}
  local kind = self.last_kind
  for _, block in ipairs(self.blocks) do
    local begun = block.begun
    push(lines, self, block, (container.render(block.component, width)))
    block.begun = begun
  end
  self.last_kind = kind
  return lines
end

--- Shows the thinking of the running answer whole or in one line, and all that comes.
function Transcript:toggle_thinking()
  self.thinking_expanded = not self.thinking_expanded
  for _, block in ipairs(self.blocks) do
    if block.kind == "thinking" then
      block.component:set_expanded(self.thinking_expanded)
    end
  end
end

--- Shows results whole or folded from now on; the last folded one is shown once more, whole.
function Transcript:toggle_results()
  self.results_expanded = not self.results_expanded
  for _, block in ipairs(self.blocks) do
    if block.kind == "tool" then
      block.component:set_expanded(self.results_expanded)
    end
  end
  if self.results_expanded and self.last_tool and not self.blocks[1] then
    self.last_tool:set_expanded(true)
    add(self, "tool", self.last_tool, true)
  end
end

local replay = {}

function replay.user(self, message)
  for _, part in ipairs(message.content) do
    if part.type == "text" then
      handlers.user_message(self, { text = part.text })
    end
  end
end

function replay.assistant(self, message)
  for _, part in ipairs(message.content) do
    if part.type == "text" then
      add(self, "text", text.new({ theme = self.theme, text = part.text }), true)
    elseif part.type == "thinking" and part.text and part.text ~= "" then
      handlers.thinking(self)
      handlers.thinking_delta(self, { delta = part.text })
      close_open(self)
    elseif part.type == "tool_call" then
      handlers.tool(self, { id = part.id, tool_name = self.name_of(part.name) })
      handlers.tool_details(self, { id = part.id, input = part.input })
    end
  end
end

function replay.tool(self, message)
  local pieces = {}
  for _, part in ipairs(message.content) do
    pieces[#pieces + 1] = part.text or "[image]"
  end
  handlers.tool_result(self, {
    id = message.tool_call_id,
    output = table.concat(pieces, "\n"),
    is_error = message.is_error,
    details = message.details,
  })
end

--- Shows messages of an earlier run as finished blocks.
---@param messages panto.Message[]
---@param first integer index of the first one to show
---@param name_of fun(wire: string): string a tool's name by its wire name
function Transcript:replay(messages, first, name_of)
  self.name_of = name_of
  for i = first, #messages do
    replay[messages[i].role](self, messages[i])
  end
  handlers.turn_end(self, {})
end

return transcript
