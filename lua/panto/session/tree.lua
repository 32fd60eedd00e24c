-- All branches of a session into the messages that one can go back to, in the order they were said.

local record = require("panto.session.record")
local utf8x = require("panto.base.utf8x")

local tree = {}

local MAX_TEXT_BYTES = 400
local PAUSE_EVERY = 1000 -- records

---@class panto.session.Place
---@field role "user"|"assistant"
---@field text string what was said, one line
---@field entry panto.session.Entry the message's own record
---@field tip panto.session.Entry the last record that belongs to it: its last tool result
---@field number integer of the record in the file
---@field is_active boolean it is on the branch that goes on

-- A message's role stands near its line's end: what tools return need not be decoded for it.
local function is_result(line)
  return line and line:find('"role":"tool","tool_call_id":"', -300, true) ~= nil
end

local function text_of(message)
  local texts = {}
  for _, part in ipairs(message.content) do
    local is_text = type(part) == "table" and part.type == "text" and not part.note
    if is_text and type(part.text) == "string" then
      texts[#texts + 1] = part.text
    end
  end
  return utf8x.cut(table.concat(texts, " "):gsub("%s+", " "), MAX_TEXT_BYTES)
end

-- Answers that only call tools are no places either.
local function is_textless(line)
  return line
    and line:find('"role":"assistant"', 1, true) ~= nil
    and not line:find('"type":"text"', 1, true)
end

local function read_message(entry)
  local line = entry.line
  if is_result(line) then
    return "tool"
  elseif is_textless(line) then
    return "assistant", ""
  end
  local value = record.get(entry)
  local message = value and value.message
  if type(message) ~= "table" or type(message.content) ~= "table" then
    return nil
  end
  return message.role, text_of(message)
end

local function add_place(places, role, text, entry, number)
  if text == "" then
    return nil
  end
  local place = { role = role, text = text, entry = entry, tip = entry, is_active = false }
  place.number = number
  places[#places + 1] = place
  return place
end

-- What a record is to /tree: a place of its own, or a part of the one that it hangs on.
local function read_place(places, entry, number, owner)
  if entry.type ~= "message" then
    return owner
  end
  local role, text = read_message(entry)
  if role == "user" or role == "assistant" then
    return add_place(places, role, text, entry, number)
  elseif role == "tool" and owner then
    owner.tip = entry
    return owner
  end
end

-- The places in the order of the file, which record hangs on which, and the number of the last one
-- of the active branch. Of a hundred thousand records only numbers stay.
local function scan_places(log, pause)
  local places, parents, last = {}, {}, 0
  local owners, numbers, number = {}, {}, 0
  local tip = log.tip or {}
  for entry in log:entries() do
    number = number + 1
    if number % PAUSE_EVERY == 0 then
      pause()
    end
    -- A lost parent is the record before, as in the chain.
    local parent = entry.parent and (numbers[entry.parent] or number - 1) or 0
    owners[number] = read_place(places, entry, number, owners[parent]) or false
    parents[number], numbers[entry.id] = parent, number
    if entry == tip or entry.at and entry.at == tip.at then
      last = number
    end
    if entry.at then -- the file has it
      entry.line, entry.record = nil, nil
    end
  end
  return places, parents, last
end

--- Returns the places of a session; nothing of the file stays in memory but them.
---@param log panto.session.Log
---@param pause fun()? called now and then, for others to run
---@return panto.session.Place[]
function tree.read(log, pause)
  local places, parents, number = scan_places(log, pause or function() end)
  local active = {}
  while number > 0 do
    active[number] = true
    number = parents[number]
  end
  for _, place in ipairs(places) do
    place.is_active = active[place.number] == true
  end
  return places
end

return tree
