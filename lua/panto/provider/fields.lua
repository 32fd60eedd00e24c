-- Reads the fields of foreign JSON, where anything may be null, missing or of another type.

local json = require("panto.base.json")

local fields = {}

--- Returns an object or array, or nil.
---@param value any
---@return table?
function fields.object(value)
  return type(value) == "table" and value ~= json.null and value or nil
end

--- Returns a string that is not empty, or nil.
---@param value any
---@return string?
function fields.text(value)
  return type(value) == "string" and value ~= "" and value or nil
end

--- Returns a number as an integer, or nil.
---@param value any
---@return integer?
function fields.count(value)
  return math.type(value) and math.tointeger(value // 1) or nil
end

--- Reads an answer that came as one JSON text, alone or as the first of a list; nil when it is none.
---@param text string
---@return table?
function fields.answer(text)
  local answer = fields.object(json.decode(text))
  return answer and fields.object(answer[1]) or answer
end

--- Says whether a text is one whole JSON object or array.
---@param text string
---@return boolean
function fields.is_whole(text)
  return fields.object(json.decode(text)) ~= nil
end

return fields
