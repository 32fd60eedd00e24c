-- Turns an old tool call into the JSON object text to send for its arguments.

local json = require("panto.base.json")

local call_arguments = {}

--- Returns the arguments as they came, "{}" for none, and broken ones inside of a JSON object:
--- servers parse old arguments again and refuse the whole request when they are no object.
---@param part panto.ToolCallPart
---@return string
function call_arguments.encode(part)
  local raw = part.arguments or ""
  if not raw:find("%S") then
    return part.input and next(part.input) and json.encode(part.input) or "{}"
  end
  if part.input then
    return raw
  end
  local value = json.decode(raw)
  local is_object = type(value) == "table" and not json.is_array(value) and value ~= json.null
  return is_object and raw or json.encode({ invalid_json = raw })
end

return call_arguments
