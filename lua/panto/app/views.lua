-- The default component of each event that shows, and what later events do to it.

local facts = require("panto.agent.compaction_facts")
local markdown = require("panto.tui.components.markdown")
local notice = require("panto.tui.components.notice")
local status = require("panto.app.status")
local thinking = require("panto.tui.components.thinking")
local tool_row = require("panto.tui.components.tool_row")
local user_text = require("panto.tui.components.user_text")

---@class panto.ViewState
---@field theme panto.tui.Theme
---@field cwd string?
---@field images panto.tui.Images?
---@field thinking_expanded boolean
---@field results_expanded boolean

local views = {}

local SUMMARY_LINES = 4

--- Makes the component of an event that begins a block; keyed by the event's name.
---@type table<string, fun(state: panto.ViewState, payload: table): table>
views.create = {}

function views.create.user_message(state, payload)
  return user_text.new({ text = payload.text, theme = state.theme })
end

function views.create.thinking(state)
  return thinking.new({ theme = state.theme, is_expanded = state.thinking_expanded })
end

function views.create.assistant_text(state)
  return markdown.new({ theme = state.theme })
end

function views.create.tool(state, payload)
  local row = tool_row.new({
    theme = state.theme,
    name = payload.tool_name,
    cwd = state.cwd,
    images = state.images,
  })
  row:set_expanded(state.results_expanded)
  return row
end

function views.create.notice(state, payload)
  return notice.new({ text = payload.text, theme = state.theme, level = payload.level })
end

function views.create.error(state, payload)
  return notice.new({ text = payload.message, theme = state.theme, level = "error" })
end

-- The first lines of what the model wrote, headings and blanks aside.
local function beginning(summary)
  local lines = {}
  for line in facts.parse(summary):gmatch("[^\n]+") do
    if #lines < SUMMARY_LINES and line:find("%S") and not line:find("^%s*#") then
      lines[#lines + 1] = line
    end
  end
  return table.concat(lines, "\n")
end

function views.create.compaction(state, payload)
  local said = "The conversation up to here was compacted."
  if payload.tokens_before and payload.tokens_after then
    local counts = "The conversation up to here was compacted: %s tokens, now about %s."
    said = counts:format(status.count(payload.tokens_before), status.count(payload.tokens_after))
  end
  return notice.new({ text = said .. "\n" .. beginning(payload.summary), theme = state.theme })
end

--- Changes the default component of a block by a later event of it; keyed by the event's name.
---@type table<string, fun(component: table, payload: table)>
views.update = {}

local function add_delta(component, payload)
  component:add(payload.delta)
end

local function finish(component)
  component:finish()
end

views.update.thinking_delta = add_delta
views.update.thinking_complete = finish
views.update.assistant_text_delta = add_delta
views.update.assistant_text_complete = finish

function views.update.tool_details(component, payload)
  component:set_input(payload.input)
end

function views.update.tool_progress(component, payload)
  component:add_output(payload.delta)
end

function views.update.tool_result(component, payload)
  component:finish({
    output = tostring(payload.output),
    is_error = payload.is_error,
    details = type(payload.details) == "table" and payload.details or nil,
    images = payload.images,
  })
end

return views
