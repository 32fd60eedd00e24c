-- The messages that are to be summarised into one text that a model can read.

local facts = require("panto.agent.compaction_facts")
local trim = require("panto.agent.compaction_trim")

local compaction_text = {}

local SAID_BYTES, OUTPUT_BYTES, CALL_BYTES = 20000, 2000, 1000

local function part_text(part, limit)
  if part.type == "text" then
    return trim.shorten(part.text, limit)
  elseif part.type == "image" then
    return "[image]"
  elseif part.type == "tool_call" then
    return ("[call of %s] %s"):format(part.name, trim.shorten(part.arguments or "", CALL_BYTES))
  end
end

local function title(message)
  if message.role == "tool" then
    local text = message.is_error and "[error from %s]" or "[result of %s]"
    return text:format(message.tool_name or "a tool")
  end
  return message.role == "user" and "[user]" or "[assistant]"
end

local function entry(message)
  local limit = message.role == "tool" and OUTPUT_BYTES or SAID_BYTES
  local pieces = { title(message) }
  for _, part in ipairs(message.content) do
    pieces[#pieces + 1] = part_text(part, limit)
  end
  return table.concat(pieces, "\n")
end

local function entries_of(messages, last)
  local earlier = facts.earlier(messages)
  local list = {}
  if earlier then
    list[1] = "[summary of what came before]\n" .. earlier
  end
  for i = earlier and 2 or 1, last do
    list[#list + 1] = entry(messages[i])
  end
  return list
end

-- So many entries from one side as fit, from `at` in steps of `step`.
local function fitting(list, at, step, max_bytes)
  local count, bytes = 0, 0
  while list[at] do
    bytes = bytes + #list[at] + 2
    if bytes > max_bytes then
      break
    end
    count, at = count + 1, at + step
  end
  return count
end

-- The first quarter and the last three of the room; the middle is left out.
local function without_middle(list, max_bytes)
  local longest = math.max(200, max_bytes // 4)
  for i, text in ipairs(list) do
    list[i] = trim.shorten(text, longest)
  end
  local head = fitting(list, 1, 1, max_bytes // 4 + 200)
  local tail = math.min(fitting(list, #list, -1, max_bytes * 3 // 4), #list - head)
  local left_out = #list - head - tail
  local result = table.move(list, 1, head, 1, {})
  if left_out > 0 then
    result[#result + 1] = ("[… %d messages are left out here …]"):format(left_out)
  end
  return table.move(list, #list - tail + 1, #list, #result + 1, result)
end

--- Writes the messages up to `last` as a text of about `max_bytes` at most; an earlier summary and
--- the beginning stay in it.
---@param messages panto.Message[]
---@param last integer
---@param max_bytes integer?
---@return string
function compaction_text.render(messages, last, max_bytes)
  local list = entries_of(messages, last)
  local text = table.concat(list, "\n\n")
  if max_bytes and #text > max_bytes then
    text = table.concat(without_middle(list, max_bytes), "\n\n")
  end
  return text
end

return compaction_text
