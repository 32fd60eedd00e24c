-- A branch of a session into the messages of its next request: the last compaction honoured, each
-- call answered, and no more than any API takes.

local record = require("panto.session.record")
local repair = require("panto.session.repair")
local shape = require("panto.session.shape")
local summary = require("panto.session.summary")

local context = {}

-- No API takes a request of this size; reading on would only cost time.
local MAX_BYTES = 32 * 1024 * 1024
-- One monstrous record does not hide what was said before it.
local MAX_COUNTED = 4 * 1024 * 1024

-- A turn of many calls is shown from its middle.
local MOST_SHOWN = 4

---@class panto.session.Gathering
---@field list { message: panto.Message, id: string }[] from the last to the first
---@field bytes integer
---@field broken integer messages that cannot be used
---@field compaction table? the record of the newest one
---@field kept integer? how many messages came after it
---@field complete boolean the place where the compaction's tail begins was found
---@field cut boolean there is more than can be sent

local function add_message(found, entry)
  found.bytes = found.bytes + math.min(entry.bytes or #(entry.line or ""), MAX_COUNTED)
  local value = record.get(entry)
  local message = shape.message(value and value.message)
  if message then
    table.insert(found.list, { message = message, id = entry.id })
  else
    found.broken = found.broken + 1
  end
  return message
end

local function take_compaction(found, entry)
  local value = record.get(entry)
  if summary.is_usable(value) then
    found.compaction, found.kept = value, #found.list
    found.complete = type(value.first_kept) ~= "string"
  end
end

-- True when the walk may end.
local function is_enough(found, entry, message, last)
  if found.compaction and entry.id == found.compaction.first_kept then
    found.complete = true
  elseif last and #found.list >= last then
    local is_start = message and message.role == "user"
    return is_start or #found.list >= MOST_SHOWN * last
  elseif found.bytes > MAX_BYTES then
    found.cut = true
    return true
  end
  return found.complete
end

local function gather(walk, last)
  local found = { list = {}, bytes = 0, broken = 0, complete = false, cut = false }
  for entry in walk do
    local message
    if entry.type == "message" then
      message = add_message(found, entry)
    elseif entry.type == "compaction" and not found.compaction and not last then
      take_compaction(found, entry)
    end
    if is_enough(found, entry, message, last) then
      return found
    end
  end
  return found
end

-- The messages in order; a cut conversation begins with what the user said. A tail whose beginning
-- is lost is what came after the compaction.
local function ordered(found, ids)
  local list = {}
  local count = #found.list
  if found.compaction and not found.complete and not found.cut then
    count = found.kept
  end
  if found.compaction then
    list[1] = summary.message(found.compaction)
  end
  local begun = not found.cut or found.compaction ~= nil
  for i = count, 1, -1 do
    local item = found.list[i]
    begun = begun or item.message.role == "user"
    if begun then
      ids[item.message] = item.id
      list[#list + 1] = item.message
    end
  end
  return list
end

local function notes_of(found)
  local notes = {}
  if found.broken > 0 then
    local text = "%d message%s broken in the file: left out"
    notes[1] = text:format(found.broken, found.broken == 1 and " is" or "s are")
  end
  if found.cut then
    local text = "the conversation is larger than any model takes: only its last %d messages "
      .. "(%d MB) are sent; the file keeps all of it"
    notes[#notes + 1] = text:format(#found.list, found.bytes // (1024 * 1024))
  end
  return notes
end

--- Returns the messages of a branch, and what was mended or left out.
---@param walk fun(): panto.session.Entry? from the last record to the first
---@param ids table<panto.Message, string> gets each message's record
---@param last integer? only so many from the end, back to a user message: what the screen shows,
--- compactions passed over
---@return panto.Message[]
---@return string[] notes
function context.read(walk, ids, last)
  local found = gather(walk, last)
  local notes = notes_of(found)
  local list, mended = repair.messages(ordered(found, ids))
  table.move(mended, 1, #mended, #notes + 1, notes)
  return list, notes
end

return context
