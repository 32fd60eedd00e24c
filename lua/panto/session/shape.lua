-- What a message record of a file holds, into a message that the rest of panto can take, or nothing:
-- another program or a later panto may have written it.

local json = require("panto.base.json")

local shape = {}

local ROLES = { user = true, assistant = true, tool = true }

-- The texts that a part cannot be without; other kinds of parts need none.
local PART_TEXTS = {
  text = { "text" },
  image = { "media_type", "data" },
  tool_call = { "id", "name" },
}

local function is_table(value)
  return type(value) == "table" and value ~= json.null
end

local function is_part(part)
  if not is_table(part) or type(part.type) ~= "string" then
    return false
  end
  for _, name in ipairs(PART_TEXTS[part.type] or {}) do
    if type(part[name]) ~= "string" then
      return false
    end
  end
  return part.arguments == nil or type(part.arguments) == "string"
end

local function parts_of(content)
  local parts = json.array({})
  for _, part in ipairs(content) do
    if not is_part(part) then
      return nil
    end
    if not is_table(part.input) then
      part.input = nil
    end
    parts[#parts + 1] = part
  end
  return parts
end

-- Counts alone; what is no number is as good as unknown.
local function counts_of(usage)
  if not is_table(usage) then
    return nil
  end
  local counts = {}
  for kind, count in pairs(usage) do
    counts[kind] = type(count) == "number" and count or nil
  end
  return counts
end

--- Returns the message, what is odd in it left out; nil when it cannot be used.
---@param value any
---@return panto.Message?
function shape.message(value)
  if not is_table(value) or not ROLES[value.role] or not is_table(value.content) then
    return nil
  elseif value.role == "tool" and type(value.tool_call_id) ~= "string" then
    return nil
  end
  local parts = parts_of(value.content)
  if not parts then
    return nil
  end
  value.content, value.usage = parts, counts_of(value.usage)
  return value
end

return shape
