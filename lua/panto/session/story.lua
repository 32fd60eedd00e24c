-- The active branch of a session into what was said and done, in order: for reading, not for an API.

local record = require("panto.session.record")
local shape = require("panto.session.shape")

local story = {}

---@class panto.session.Chapter
---@field kind "user"|"note"|"answer"|"thinking"|"call"|"result"|"compaction"|"model"
---@field text string
---@field name string? of a call: the tool's wire name
---@field is_error boolean? of a result
---@field time string?

local add = {}

function add.text(list, part, message)
  local kind = message.role == "user" and "user" or "answer"
  list[#list + 1] = { kind = part.note and "note" or kind, text = part.text }
end

function add.thinking(list, part)
  if type(part.text) == "string" and part.text:find("%S") then
    list[#list + 1] = { kind = "thinking", text = part.text }
  end
end

function add.tool_call(list, part)
  list[#list + 1] = { kind = "call", name = part.name, text = part.arguments or "{}" }
end

function add.image(list, part, message)
  list[#list + 1] = {
    kind = message.role == "user" and "user" or "answer",
    text = ("[image, %s]"):format(part.media_type),
  }
end

local function add_result(list, message)
  local texts = {}
  for _, part in ipairs(message.content) do
    texts[#texts + 1] = part.text or part.media_type and ("[image, %s]"):format(part.media_type)
  end
  list[#list + 1] = {
    kind = "result",
    name = message.tool_name,
    text = table.concat(texts, "\n"),
    is_error = message.is_error == true,
  }
end

local function add_message(list, value)
  local message = shape.message(value.message)
  if not message then
    return
  elseif message.role == "tool" then
    return add_result(list, message)
  end
  for _, part in ipairs(message.content) do
    if add[part.type] then
      add[part.type](list, part, message)
      list[#list].time = value.time
    end
  end
end

local function add_record(list, value)
  if value.type == "message" then
    add_message(list, value)
  elseif value.type == "compaction" and type(value.summary) == "string" then
    list[#list + 1] = { kind = "compaction", text = value.summary }
  elseif value.type == "model" and type(value.model) == "string" then
    list[#list + 1] = { kind = "model", text = value.model }
  end
end

-- Where the records of the active branch stand; they are read once more then, from the first, as
-- all of a long session would not fit into memory.
local function active_places(log)
  local places = {}
  for entry in log:walk() do
    places[entry.at or entry] = true
    if entry.at then
      entry.line, entry.record = nil, nil
    end
  end
  return places
end

--- Iterates over the chapters of a log's active branch, from its first record.
---@param log panto.session.Log
---@return fun(): panto.session.Chapter?
function story.read(log)
  local is_active, entries = active_places(log), log:entries()
  local list, at = {}, 1
  return function()
    while not list[at] do
      local entry = entries()
      if not entry then
        return nil
      end
      list, at = {}, 1
      local value = is_active[entry.at or entry] and record.get(entry)
      if value then
        add_record(list, value)
      end
    end
    at = at + 1
    return list[at - 1]
  end
end

return story
