-- The two JSON values that plain Lua lacks: null, and a table that is an array even when empty.

local value = {}

--- The metatable that marks a table as a JSON array.
value.array_mark = { __name = "json.array" }

--- The JSON null, a value of its own, equal only to itself.
value.null = setmetatable({}, {
  __name = "json.null",
  __tostring = function()
    return "null"
  end,
  __newindex = function()
    error("json.null is not a table to write to", 2)
  end,
})

local raw_mark = { __name = "json.raw" }
value.raw_mark = raw_mark

--- Makes of JSON text a value that is written as it is.
---@param text string
---@return table
function value.raw(text)
  return setmetatable({ text }, raw_mark)
end

return value
