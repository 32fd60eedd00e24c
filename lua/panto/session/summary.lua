-- A compaction record into the message that stands for what it summarises.

local json = require("panto.base.json")

local summary = {}

local TEXT = [[
The conversation up to here was summarised to make room. What follows the summary are its last
messages, word for word.

<summary>
%s
</summary>]]

---@class panto.session.Compaction
---@field summary string
---@field first_kept string? id of the first record that is kept word for word; nil: none is
---@field tokens_before integer? what the conversation had grown to

--- Tells whether a record is a compaction that can be used.
---@param value any
---@return boolean
function summary.is_usable(value)
  return type(value) == "table" and value.type == "compaction" and type(value.summary) == "string"
end

--- Returns the user message that a compaction puts in place of what it summarises.
---@param compaction panto.session.Compaction
---@return panto.UserMessage
function summary.message(compaction)
  local text = TEXT:format((compaction.summary:gsub("%s+$", "")))
  return { role = "user", content = json.array({ { type = "text", text = text } }), summary = true }
end

return summary
