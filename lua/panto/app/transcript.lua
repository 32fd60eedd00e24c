-- Shows the events of a conversation as blocks: finished ones go to the scrollback once, the others
-- stay live below them. It is the bus's mount: handlers may change each block's component.

local container = require("panto.tui.container")
local event_names = require("panto.ext.event_names")
local lua_view = require("panto.app.lua_view")
local notice = require("panto.tui.components.notice")
local replay = require("panto.app.replay")
local views = require("panto.app.views")

---@class panto.Block
---@field default table? panto's own component, kept up to date
---@field component table what is drawn: the default one, or an extension's
---@field kind string
---@field done boolean nothing of it changes any more
---@field begun boolean its first lines are in the scrollback
---@field reply integer the answer it belongs to

---@class panto.Transcript: panto.ViewState
---@field blocks panto.Block[]
---@field tools table<string, panto.Block> by call id
---@field ended table<string, panto.Block> with a result, not yet folded
---@field open_block panto.Block? the text or thinking that streams
---@field folded table<string, panto.Block[]> what the last turn that folded any left so
---@field outdated table<string, boolean> kinds of which the running turn has folded none yet
---@field written_reply integer? the answer of which something is in the scrollback
local Transcript = {}
Transcript.__index = Transcript

local transcript = {}

-- What an event does to the block it belongs to.
local STREAMS = { thinking = "text", assistant_text = "text", tool = "tool" }
local ENDS = { thinking_complete = true, assistant_text_complete = true, tool_result = true }

---@class panto.TranscriptOptions
---@field theme panto.tui.Theme
---@field changed fun()
---@field report fun(err: panto.ViewError)
---@field is_focused fun(component: table): boolean it has the keys, so it stays on the screen
---@field cwd string? what paths are shown relative to
---@field images panto.tui.Images? the images that the screen draws

--- Makes the transcript; it shows what the bus emits from `bus:set_mount` on.
---@param options panto.TranscriptOptions
---@return panto.Transcript
function transcript.new(options)
  return setmetatable({
    theme = options.theme,
    changed = options.changed,
    report = options.report,
    is_focused = options.is_focused,
    blocks = {},
    tools = {},
    ended = {},
    reply = 0,
    cwd = options.cwd,
    images = options.images,
    folded = { tool = {}, thinking = {} },
    outdated = {},
    thinking_expanded = false,
    results_expanded = false,
  }, Transcript)
end

local function add(self, kind, default, component)
  local block = {
    kind = kind,
    default = default,
    component = component,
    done = not STREAMS[kind],
    begun = false,
    reply = self.reply,
  }
  self.blocks[#self.blocks + 1] = block
  return block
end

local function block_of(self, name, payload)
  if payload.id then
    return self.tools[payload.id] or name == "tool_collapse" and self.ended[payload.id] or nil
  elseif views.update[name] then
    return self.open_block
  end
end

--- Returns the component that an event has before its handlers: a new one, or its block's.
---@param name string
---@param payload table
---@return table?
function Transcript:open(name, payload)
  local create = views.create[name]
  if create then
    self.made = create(self, payload)
    return self.made
  end
  local block = block_of(self, name, payload)
  if not block then
    return nil
  end
  local component = block.component
  return getmetatable(component) == lua_view.class and component.component or component
end

local function adapt(self, component, default, by)
  if component == default then
    return component
  end
  return lua_view.new({
    component = component,
    default = default,
    owner = by,
    report = self.report,
    changed = self.changed,
  })
end

local function begin(self, name, payload, component, by)
  local default = self.made
  self.made = nil
  if component == default and name == "user_message" then -- its text may have been changed
    default = views.create.user_message(self, payload)
    component = default
  end
  local block = add(self, name, default, adapt(self, component, default, by))
  if STREAMS[name] == "tool" then
    self.tools[payload.id] = block
  elseif STREAMS[name] then
    self.open_block = block
  end
end

local function finish(self, block, payload)
  block.done = true
  if payload.id then
    self.tools[payload.id] = nil
    self.ended[payload.id] = block
    self.reply = block.reply + 1
  else
    self.open_block = nil
  end
end

local function continue(self, block, name, payload, component, by)
  local update = views.update[name]
  if update and block.default then
    update(block.default, payload)
  end
  local shown = block.component
  local own = getmetatable(shown) == lua_view.class and shown.component or shown
  if component and component ~= own then
    block.component = adapt(self, component, block.default, by)
  end
  if ENDS[name] then
    finish(self, block, payload)
  elseif name == "tool_collapse" then
    self.ended[payload.id] = nil
  end
end

local ends = {}

--- Shows an event with the component that its handlers left.
---@param name string
---@param payload table
---@param component table?
---@param by panto.Owner? who set it
function Transcript:close(name, payload, component, by)
  if views.create[name] then
    begin(self, name, payload, component, by)
  elseif ends[name] then
    ends[name](self, payload)
  else
    local block = block_of(self, name, payload)
    if block then
      continue(self, block, name, payload, component, by)
    elseif component and (name == "session_start" or event_names.is_shown(name)) then
      add(self, name, nil, adapt(self, component, nil, by))
    else
      return
    end
  end
  self.changed()
end

local function close_open(self)
  local block = self.open_block
  if block then
    views.update.assistant_text_complete(block.default)
    finish(self, block, {})
  end
end

local function tell(self, level, words)
  local component = notice.new({ text = words, theme = self.theme, level = level })
  add(self, "notice", component, component)
end

function ends.turn_start(self)
  self.reply = self.reply + 1
  self.outdated = { tool = true, thinking = true }
  self.thinking_expanded, self.results_expanded = false, false
end

function ends.restart(self)
  local kept, begun = {}, self.written_reply == self.reply
  for _, block in ipairs(self.blocks) do
    local dropped = block.reply == self.reply and STREAMS[block.kind]
    begun = begun or dropped and block.begun
    if not dropped then
      kept[#kept + 1] = block
    end
  end
  self.blocks, self.tools, self.open_block = kept, {}, nil
  if begun then
    tell(self, "warning", "The answer broke off; it starts again.")
  end
end

function ends.turn_end(self, payload)
  close_open(self)
  for _, block in pairs(self.tools) do
    views.update.tool_result(block.default, { output = "not run", is_error = true })
    block.done = true
  end
  self.tools, self.ended = {}, {}
  if payload.status == "aborted" then
    tell(self, "warning", "Stopped.")
  end
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

--- Returns the components of extensions that are live.
---@return panto.LuaView[]
function Transcript:views()
  local found = {}
  for _, block in ipairs(self.blocks) do
    if getmetatable(block.component) == lua_view.class then
      found[#found + 1] = block.component
    end
  end
  return found
end

-- What an earlier turn left folded stays to be shown until a turn folds something itself.
local function keep_folded(self, block)
  local kind = block.kind
  local is_kept = self.folded[kind] and not block.is_whole
  if is_kept and block.default and block.default:is_folded() then
    if self.outdated[kind] then
      self.folded[kind], self.outdated[kind] = {}, nil
    end
    table.insert(self.folded[kind], block)
  end
end

--- Tells whether text or thinking is coming in.
---@return boolean
function Transcript:is_streaming()
  return self.open_block ~= nil
end

--- Takes the lines that are finished, for the scrollback.
---@param width integer
---@return string[]
function Transcript:take(width)
  local lines = {}
  while self.blocks[1] do
    local block = self.blocks[1]
    local component = block.component
    local own = getmetatable(component) == lua_view.class and component.component
    if own and self.is_focused(own) then
      break
    elseif component.take then
      push(lines, self, block, component:take(width))
    elseif block.done then
      push(lines, self, block, (container.render(component, width)))
    end
    if STREAMS[block.kind] and block.begun then
      self.written_reply = block.reply
    end
    if not block.done then
      break
    end
    keep_folded(self, block)
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

local function expand(self, kind, is_expanded)
  local is_live = false
  for _, block in ipairs(self.blocks) do
    if block.kind == kind and block.default and not block.begun then
      is_live = true
      block.default:set_expanded(is_expanded)
    end
  end
  return is_live
end

-- What is live changes in place; what stands folded in the scrollback comes once more, whole.
local function toggle(self, kind, field, nothing)
  local is_live = expand(self, kind, not self[field])
  self[field] = is_live and not self[field]
  if is_live and not self[field] then
    return
  end
  local folded = self.folded[kind]
  self.folded[kind] = {}
  for _, block in ipairs(folded) do
    block.default:set_expanded(true)
    local again = add(self, kind, block.default, block.component)
    again.done, again.is_whole = true, true
  end
  if not is_live and #folded == 0 then
    tell(self, "info", nothing)
  end
end

--- Shows the thinking of the running answer whole or in one line, or what is folded whole.
function Transcript:toggle_thinking()
  toggle(self, "thinking", "thinking_expanded", "No folded thinking is left to show.")
end

--- Shows running calls whole or folded, or the last turn's folded results whole.
function Transcript:toggle_results()
  toggle(self, "tool", "results_expanded", "No folded result is left to show.")
end

--- Shows messages of an earlier run as finished blocks.
---@param messages panto.Message[]
---@param first integer index of the first one to show
---@param name_of fun(wire: string): string a tool's name by its wire name
function Transcript:replay(messages, first, name_of)
  replay.run(messages, first, name_of, function(name, payload)
    self:close(name, payload, self:open(name, payload))
  end)
  ends.turn_end(self, {})
end

return transcript
