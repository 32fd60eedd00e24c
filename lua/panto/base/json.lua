-- JSON for everything above: text into Lua values and back, with null and arrays kept apart.

local json_read = require("panto.base.json_read")
local json_value = require("panto.base.json_value")
local json_write = require("panto.base.json_write")

local json = {}

--- The JSON null; Lua's nil never stands for it.
json.null = json_value.null

--- Reads one JSON text strictly by RFC 8259; arrays carry the array mark, integers stay integers.
---@type fun(text: string): any, string?
json.decode = json_read.decode

--- Writes a value as JSON with sorted keys; raises on functions, cycles, NaN and mixed tables.
---@type fun(value: any): string
json.encode = json_write.encode

--- Says what keeps a value from being written as JSON; nil when nothing does.
---@type fun(value: any): string?
json.problem = json_write.problem

--- Marks a table as an array, so that it is one even when it is empty.
---@generic T: table
---@param list? T a new table when nil
---@return T list
function json.array(list)
  return setmetatable(list or {}, json_value.array_mark)
end

--- Says whether a value would be written as an array.
---@param value any
---@return boolean
function json.is_array(value)
  if type(value) ~= "table" or value == json_value.null then
    return false
  end
  return getmetatable(value) == json_value.array_mark or rawlen(value) > 0
end

return json
