-- A table of texts into an application/x-www-form-urlencoded body and back.

local form = {}

local function escape(text)
  return (
    tostring(text):gsub("[^%w._~-]", function(letter)
      return ("%%%02X"):format(letter:byte())
    end)
  )
end

local function unescape(text)
  return (
    text:gsub("%+", " "):gsub("%%(%x%x)", function(digits)
      return string.char(tonumber(digits, 16))
    end)
  )
end

--- Writes fields as a form, sorted by name.
---@param fields table<string, string>
---@return string
function form.encode(fields)
  local pairs_of = {}
  for name, value in pairs(fields) do
    pairs_of[#pairs_of + 1] = escape(name) .. "=" .. escape(value)
  end
  table.sort(pairs_of)
  return table.concat(pairs_of, "&")
end

--- Reads a form; of a repeated name the last value counts.
---@param text string
---@return table<string, string>
function form.decode(text)
  local fields = {}
  for name, value in text:gmatch("([^&=]+)=([^&]*)") do
    fields[unescape(name)] = unescape(value)
  end
  return fields
end

return form
