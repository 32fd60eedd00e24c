-- An event's name and payload into the plain table that scripts and `panto run --json` get:
-- `type` is the name, texts come as deltas only, what is no data is left out.

local json = require("panto.base.json")
local tokens = require("panto.agent.tokens")

local event_record = {}

local MAX_DEPTH = 50

-- `request` holds the key in its headers; the others are parts of the screen.
local HIDDEN = { request = true, editor = true, spinner = true, footer = true }
-- Fields that repeat what the deltas before them said.
local WHOLE_TEXTS = {
  assistant_text_complete = true,
  thinking_complete = true,
  turn_end = true,
}

local function plain(value, depth)
  local kind = type(value)
  if kind == "string" or kind == "boolean" or value == json.null then
    return value
  elseif kind == "number" then
    return value == value and math.abs(value) ~= math.huge and value or nil
  elseif kind ~= "table" or depth > MAX_DEPTH then
    return nil
  end
  local copy = {}
  if json.is_array(value) or #value > 0 then
    for _, item in ipairs(value) do
      copy[#copy + 1] = plain(item, depth + 1)
    end
    return json.array(copy)
  end
  for key, item in pairs(value) do
    copy[tostring(key)] = plain(item, depth + 1)
  end
  return copy
end

--- Makes the record of an event; nil for those that stay inside.
---@param name string
---@param payload table
---@return table?
function event_record.new(name, payload)
  if HIDDEN[name] then
    return nil
  end
  local made = plain(payload, 1)
  made.type = name
  if WHOLE_TEXTS[name] then
    made.text, made.usage = nil, nil
  end
  return made
end

-- Nothing counted is not the same as nothing used.
local function count(usage, kind)
  return usage[kind] or json.null
end

--- Makes the record that ends a prompt.
---@param result panto.TurnResult
---@param model panto.Model
---@param session string? id of the session, when it is kept
---@return table
function event_record.done(result, model, session)
  local usage = result.usage
  local known = next(usage) ~= nil and tokens.cost(usage, model)
  return {
    type = "done",
    status = result.status,
    text = result.text,
    usage = {
      input = count(usage, "input"),
      output = count(usage, "output"),
      cache_read = count(usage, "cache_read"),
      cache_write = count(usage, "cache_write"),
    },
    cost = known or json.null,
    session = session or json.null,
  }
end

return event_record
