-- A conversation as it was recorded into one that an API takes: each call has its one result.

local repair = {}

repair.INTERRUPTED = "interrupted: panto ended before this call finished; it may have run in part"

local function calls_of(message)
  local calls = {}
  if message.role == "assistant" then
    for _, part in ipairs(message.content or {}) do
      if part.type == "tool_call" then
        calls[#calls + 1] = part
      end
    end
  end
  return calls
end

local function interrupted(call)
  return {
    role = "tool",
    tool_call_id = call.id,
    tool_name = call.name,
    content = { { type = "text", text = repair.INTERRUPTED } },
    is_error = true,
  }
end

-- The results between this assistant message and the next, by call id; ids may repeat later on.
local function results_after(messages, at)
  local results = {}
  for i = at + 1, #messages do
    local message = messages[i]
    if message.role == "assistant" then
      break
    elseif message.role == "tool" then
      local id = message.tool_call_id
      results[id] = results[id] or {}
      table.insert(results[id], message)
    end
  end
  return results
end

local function add_results(list, calls, results, used)
  local added = 0
  for _, call in ipairs(calls) do
    local result = results[call.id] and table.remove(results[call.id], 1)
    if result then
      used[result] = true
    else
      result = interrupted(call)
      added = added + 1
    end
    list[#list + 1] = result
  end
  return added
end

local function count(notes, n, text)
  if n > 0 then
    notes[#notes + 1] = text:format(n, n == 1 and "" or "s")
  end
end

--- Answers each call right behind its message, in call order; drops results that answer none.
---@param messages panto.Message[]
---@return panto.Message[] messages the same messages in a new list
---@return string[] notes what was mended
function repair.messages(messages)
  local list, used = {}, {}
  local answered, dropped = 0, 0
  for i, message in ipairs(messages) do
    if message.role ~= "tool" then
      list[#list + 1] = message
      local calls = calls_of(message)
      if #calls > 0 then
        answered = answered + add_results(list, calls, results_after(messages, i), used)
      end
    elseif not used[message] then
      dropped = dropped + 1
    end
  end
  local notes = {}
  count(notes, answered, "%d tool call%s without a result: marked as interrupted")
  count(notes, dropped, "%d tool result%s without a call: left out")
  return list, notes
end

return repair
