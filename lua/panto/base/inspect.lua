-- Any Lua value into text for people: tables with their keys in order, cut in depth and length.

local inspect = {}

local INDENT = "  "
local ONE_LINE = 72

---@class panto.InspectOptions
---@field depth integer? how many tables deep, 4 when nil
---@field items integer? how many of a table, 50 when nil
---@field text integer? how many bytes of a string, 400 when nil

local function quote(text, limit)
  local cut = #text > limit and text:sub(1, limit) or text
  local shown = ("%q"):format(cut):gsub("\\\n", "\\n")
  if #text > limit then
    shown = shown .. (" … (%d bytes)"):format(#text)
  end
  return shown
end

local ORDER = { number = 1, string = 2, boolean = 3 }

local function sorted_keys(value)
  local keys = {}
  for key in next, value do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    local one, other = type(a), type(b)
    if one ~= other then
      return (ORDER[one] or 9) < (ORDER[other] or 9)
    elseif ORDER[one] and one ~= "boolean" then
      return a < b
    end
    return tostring(a) < tostring(b)
  end)
  return keys
end

local function key_text(key, options)
  if type(key) == "string" and key:find("^[%a_][%w_]*$") then
    return key .. " = "
  end
  local shown = type(key) == "string" and quote(key, options.text) or tostring(key)
  return ("[%s] = "):format(shown)
end

local write

local function pieces_of(value, state, depth)
  local pieces, options = {}, state.options
  local length = rawlen(value)
  for i, key in ipairs(sorted_keys(value)) do
    if i > options.items then
      pieces[i] = "…"
      break
    end
    local is_item = math.type(key) == "integer" and key >= 1 and key <= length and key == i
    local name = is_item and "" or key_text(key, options)
    pieces[i] = name .. write(rawget(value, key), state, depth + 1)
  end
  return pieces
end

function write(value, state, depth)
  local kind = type(value)
  if kind == "string" then
    return quote(value, state.options.text)
  elseif kind ~= "table" then
    return tostring(value)
  elseif state.open[value] then
    return "{ its own parent }"
  elseif depth > state.options.depth then
    return next(value) == nil and "{}" or "{…}"
  end
  state.open[value] = true
  local pieces = pieces_of(value, state, depth)
  state.open[value] = nil
  local line = table.concat(pieces, ", ")
  if not pieces[1] then
    return "{}"
  elseif #line <= ONE_LINE and not line:find("\n", 1, true) then
    return "{ " .. line .. " }"
  end
  local pad = INDENT:rep(depth)
  return ("{\n%s%s,\n%s}"):format(pad, table.concat(pieces, ",\n" .. pad), INDENT:rep(depth - 1))
end

--- Writes a value as text; no metamethod of a table is called.
---@param value any
---@param options panto.InspectOptions?
---@return string
function inspect.write(value, options)
  options = options or {}
  local limits =
    { depth = options.depth or 4, items = options.items or 50, text = options.text or 400 }
  return write(value, { options = limits, open = {} }, 1)
end

return inspect
