-- A session's last records into what was in force at its end: prompt, model, effort, totals.

local record = require("panto.session.record")
local tally = require("panto.session.tally")

local settings = {}

-- Totals stand at every answer; where none is found within so many records, none was written.
local TOTALS_WITHIN = 1000

---@class panto.session.Settings
---@field system string? fingerprint of the system prompt
---@field model string? "provider:alias"
---@field effort string?
---@field totals table? what the conversation had used

--- Returns a short mark of a text, to see whether it is another one (FNV-1a, 64 bits).
---@param text string
---@return string
function settings.fingerprint(text)
  local value = 0xcbf29ce484222325
  for i = 1, #text - 7, 8 do
    value = (value ~ string.unpack("<i8", text, i)) * 0x100000001b3
    value = value ~ (value >> 32)
  end
  for i = #text - #text % 8 + 1, #text do
    value = (value ~ text:byte(i)) * 0x100000001b3
  end
  return ("%016x"):format(value)
end

local function text(value)
  return type(value) == "string" and value or nil
end

local take = {}

function take.system(found, entry)
  local value = record.get(entry)
  if not found.system and value and text(value.text) then
    found.system = settings.fingerprint(value.text)
  end
end

function take.model(found, entry)
  local value = record.get(entry)
  found.model = found.model or value and text(value.model)
end

function take.reasoning(found, entry)
  local value = record.get(entry)
  if found.effort == nil and value then
    found.effort = text(value.effort) or false
  end
end

-- A message of the user carries what was in force when it was said.
function take.message(found, entry)
  local head = record.head(entry)
  if type(head.totals) == "table" and not found.totals then
    found.totals = head.totals
  end
  local using = head.using
  if type(using) ~= "table" then
    return false
  end
  found.system = found.system or text(using.system)
  found.model = found.model or text(using.model)
  if found.effort == nil then
    found.effort = text(using.effort) or false
  end
  return true
end

--- Returns what was in force at the end of a log's active branch.
---@param log panto.session.Log
---@return panto.session.Settings
function settings.read(log)
  local found, looked, foreign = {}, 0, 0
  for entry in log:walk() do
    looked = looked + 1
    foreign = foreign + (entry.type == "message" and not entry.n and 1 or 0)
    local read = take[entry.type]
    found.is_known = read and read(found, entry) or found.is_known
    local is_read = found.is_known and (found.totals or looked > TOTALS_WITHIN)
    if is_read or foreign > tally.MOST_FOREIGN then
      break
    end
  end
  return {
    system = found.system,
    model = found.model,
    effort = found.effort or nil,
    totals = found.totals,
  }
end

return settings
