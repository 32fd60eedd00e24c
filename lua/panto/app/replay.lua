-- Turns messages of an earlier run into the events that showed them.

local result = require("panto.agent.result")
local stop_notices = require("panto.agent.stop_notices")

local replay = {}

local show = {}

function show.user(message, emit)
  for _, part in ipairs(message.content) do
    if message.summary and part.text then
      local summary = part.text:match("<summary>%s*(.*)") or part.text
      emit("compaction", { summary = summary })
      return
    end
    if part.type == "text" and not part.note then
      emit("turn_start", {})
      emit("user_message", { text = part.text })
    end
  end
end

local function show_part(part, emit, name_of)
  if part.type == "text" or part.type == "thinking" and part.text and part.text ~= "" then
    local name = part.type == "text" and "assistant_text" or "thinking"
    emit(name, {})
    emit(name .. "_delta", { delta = part.text })
    emit(name .. "_complete", {})
  elseif part.type == "tool_call" then
    local call = { id = part.id, tool_name = name_of(part.name), input = part.input }
    emit("tool", call)
    emit("tool_details", call)
  end
end

function show.assistant(message, emit, name_of)
  for _, part in ipairs(message.content) do
    show_part(part, emit, name_of)
  end
  if message.aborted then
    emit("notice", { text = "Stopped.", level = "warning" })
  elseif stop_notices[message.stop_reason] then
    emit("notice", { text = stop_notices[message.stop_reason], level = "warning" })
  end
end

function show.tool(message, emit)
  emit("tool_result", {
    id = message.tool_call_id,
    output = result.text(message),
    is_error = message.is_error,
    details = message.details,
    images = result.images(message),
  })
end

--- Emits what showed the messages from the given one on.
---@param messages panto.Message[]
---@param first integer
---@param name_of fun(wire: string): string a tool's name by its wire name
---@param emit fun(name: string, payload: table)
function replay.run(messages, first, name_of, emit)
  for i = first, #messages do
    show[messages[i].role](messages[i], emit, name_of)
  end
end

return replay
