-- An event's name and payload into the plain table that scripts and `panto run --json` get:
-- `type` is the name, texts come as deltas only, what is no data is left out.

local json = require("panto.base.json")
local tokens = require("panto.agent.tokens")

local event_record = {}

local MAX_DEPTH = 50
local COUNTS = { "input", "output", "cache_read", "cache_write" }

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
  made.images = nil -- they are for the screen and long
  return made
end

--- Makes the record that ends a prompt; what is not known is left out.
---@param result panto.TurnResult
---@param model panto.Model
---@param session string? id of the session, when it is kept
---@return table
function event_record.done(result, model, session)
  local usage = result.usage
  local counts = {}
  for _, kind in ipairs(COUNTS) do
    counts[kind] = usage[kind]
  end
  return {
    type = "done",
    status = result.status,
    text = result.text,
    usage = counts,
    cost = next(usage) and tokens.cost(usage, model) or nil,
    session = session,
  }
end

--- Gives JSON's null for what such a record leaves out: every line has every key.
---@param done table
---@return table done the same
function event_record.fill(done)
  for _, kind in ipairs(COUNTS) do
    done.usage[kind] = done.usage[kind] or json.null
  end
  done.cost = done.cost or json.null
  done.session = done.session or json.null
  return done
end

return event_record
