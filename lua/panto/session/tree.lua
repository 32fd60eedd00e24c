-- All branches of a session into the messages that one can go back to, in the order they were said.

local record = require("panto.session.record")
local utf8x = require("panto.base.utf8x")

local tree = {}

local MAX_TEXT_BYTES = 400

---@class panto.session.Place
---@field role "user"|"assistant"
---@field text string what was said, one line
---@field entry panto.session.Entry the message's own record
---@field tip panto.session.Entry the last record that belongs to it: its last tool result
---@field is_active boolean it is on the branch that goes on

-- A message's role stands near its line's end: what tools return need not be decoded for it.
local function is_result(line)
  return line and line:sub(-300):find('"role":"tool","tool_call_id":"', 1, true) ~= nil
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

local function read_message(entry)
  local line = entry.line
  if is_result(line) then
    return "tool"
  end
  local value = record.get(entry)
  local message = value and value.message
  if type(message) ~= "table" or type(message.content) ~= "table" then
    return nil
  end
  return message.role, text_of(message)
end

local function add_place(places, role, text, entry)
  local place = { role = role, text = text, entry = entry, tip = entry, is_active = false }
  if text ~= "" then
    places[#places + 1] = place
  end
  return place
end

-- A result hangs on its answer, or on another result of it.
local function scan_places(log)
  local places, owners = {}, {}
  for entry in log:entries() do
    local owner = owners[entry.parent or ""]
    if entry.type == "message" then
      local role, text = read_message(entry)
      if role == "user" or role == "assistant" then
        owners[entry.id] = add_place(places, role, text, entry)
      elseif role == "tool" and owner then
        owner.tip = entry
        owners[entry.id] = owner
      end
    else
      owners[entry.id] = owner
    end
    if entry.at then -- the file has it
      entry.line, entry.record = nil, nil
    end
  end
  return places
end

--- Returns the places of a session; nothing of the file stays in memory but them.
---@param log panto.session.Log
---@return panto.session.Place[]
function tree.read(log)
  local places = scan_places(log)
  local active = {}
  for entry in log:walk() do
    active[entry.id] = true
  end
  for _, place in ipairs(places) do
    place.is_active = active[place.entry.id] == true
  end
  return places
end

return tree
