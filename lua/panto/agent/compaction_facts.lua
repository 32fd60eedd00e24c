-- What must outlive every compaction, taken from the messages by code: the user's requests word for
-- word and the files that the tools touched. A summary carries them, the next one takes them over.

local trim = require("panto.agent.compaction_trim")

local facts = {}

local REQUEST_BYTES = 4000
local MOST_FILES = 200

local KINDS = { std_read = "read", std_write = "changed", std_edit = "changed" }
local TAGS = {
  first = "first_request",
  latest = "latest_request",
  read = "files_read",
  changed = "files_changed",
}

---@class panto.CompactionFacts
---@field first string? the first request
---@field latest string? the last request that was compacted away
---@field read string[] files, in the order in which they were first touched
---@field changed string[]

local function section(text, tag)
  local open, close = ("\n<%s>\n"):format(tag), ("\n</%s>"):format(tag)
  local from, to = text:find(open, 1, true)
  local ends = to and text:find(close, to, true)
  return ends and text:sub(to + 1, ends - 1) or nil, from
end

local function lines_of(text)
  local list = {}
  for line in (text or ""):gmatch("[^\n]+") do
    list[#list + 1] = line
  end
  return list
end

local function text_of(message)
  local texts = {}
  for _, part in ipairs(message.content) do
    if not part.note then
      texts[#texts + 1] = part.type == "text" and part.text or part.type == "image" and "[image]"
    end
  end
  return table.concat(texts, "\n")
end

--- Splits the text of a summary into what the model wrote and the facts behind it.
---@param text string
---@return string summary
---@return panto.CompactionFacts
function facts.parse(text)
  local first, from = section(text, TAGS.first)
  return text:sub(1, (from or 0) - 1):match("^(.-)%s*$"),
    {
      first = first,
      latest = section(text, TAGS.latest),
      read = lines_of(section(text, TAGS.read)),
      changed = lines_of(section(text, TAGS.changed)),
    }
end

--- Returns the text of the earlier summary that a compacted conversation begins with.
---@param messages panto.Message[]
---@return string?
function facts.earlier(messages)
  local message = messages[1]
  if not (message and message.summary) then
    return nil
  end
  local text = text_of(message)
  return text:match("<summary>\n(.*)\n</summary>%s*$") or text
end

local function failed_calls(messages, last)
  local failed = {}
  for i = 1, last do
    if messages[i].role == "tool" and messages[i].is_error then
      failed[messages[i].tool_call_id] = true
    end
  end
  return failed
end

local function add_file(found, path, kind)
  for _, list in ipairs({ found.read, found.changed }) do
    for i, known in ipairs(list) do
      if known == path then
        if list == found.changed or kind == "read" then
          return
        end
        table.remove(list, i)
        break
      end
    end
  end
  table.insert(found[kind], path)
end

local function add_calls(found, message, failed)
  for _, part in ipairs(message.content) do
    local kind = part.type == "tool_call" and KINDS[part.name]
    local path = kind and part.input and part.input.path
    if type(path) == "string" and not path:find("[%c]") and not failed[part.id] then
      add_file(found, (path:gsub("^%./+", "")), kind)
    end
  end
end

--- Collects the facts of the messages before `first`, and those that an earlier summary carries.
---@param messages panto.Message[]
---@param first integer the first message that is kept whole
---@return panto.CompactionFacts
function facts.collect(messages, first)
  local earlier = facts.earlier(messages)
  local found = { read = {}, changed = {} }
  if earlier then
    local _, carried = facts.parse(earlier)
    found = carried
  end
  local failed = failed_calls(messages, first - 1)
  for i = earlier and 2 or 1, first - 1 do
    local message = messages[i]
    if message.role == "user" then
      found.latest = trim.shorten(text_of(message), REQUEST_BYTES)
      found.first = found.first or found.latest
    elseif message.role == "assistant" then
      add_calls(found, message, failed)
    end
  end
  return found
end

local function tagged(tag, body)
  return ("\n<%s>\n%s\n</%s>\n"):format(tag, body, tag)
end

local function file_list(list)
  return table.concat(list, "\n", math.max(1, #list - MOST_FILES + 1))
end

--- Puts the facts behind the model's summary.
---@param summary string
---@param found panto.CompactionFacts
---@param has_request boolean a request of the user is in the kept end: no other is the latest
---@return string
function facts.append(summary, found, has_request)
  local pieces = { summary, "\n", tagged(TAGS.first, found.first or "(none)") }
  if found.latest and not has_request and found.latest ~= found.first then
    pieces[#pieces + 1] = tagged(TAGS.latest, found.latest)
  end
  for _, kind in ipairs({ "read", "changed" }) do
    if found[kind][1] then
      pieces[#pieces + 1] = tagged(TAGS[kind], file_list(found[kind]))
    end
  end
  return (table.concat(pieces):gsub("\n+$", ""))
end

return facts
