-- Finds a passage whose indentation differs throughout by one shift, or by tabs against spaces, and
-- turns the new text into the file's own indentation.
local plain = require("std.lib.plain")

local indentation = {}

local TAB_WIDTHS = { 4, 2, 8, 3 }

local function split(line)
  return line:match("^([ \t]*)(.*)$")
end

-- Lines as two lists, indents and rests; a blank line has no rest.
local function parts_of(lines)
  local indents, rests = {}, {}
  for i, line in ipairs(lines) do
    indents[i], rests[i] = split(plain.line(line))
  end
  return indents, rests
end

local function as_it_is(indent)
  return indent
end

local function widener(width)
  return function(indent)
    return (indent:gsub("\t", (" "):rep(width)))
  end
end

--- Returns lines prepared for many searches.
---@param lines string[] of the file
---@return table file
function indentation.new(lines)
  local file = { lines = lines, places = {} }
  file.indents, file.rests = parts_of(lines)
  for i, rest in ipairs(file.rests) do
    local places = file.places[rest]
    if places then
      places[#places + 1] = i
    else
      file.places[rest] = { i }
    end
  end
  return file
end

-- The shift from `old` to `found`: { add = prefix } or { drop = prefix }.
local function shift_between(old, found)
  if #found >= #old and found:sub(#found - #old + 1) == old then
    return { add = found:sub(1, #found - #old) }
  elseif #old > #found and old:sub(#old - #found + 1) == found then
    return { drop = old:sub(1, #old - #found) }
  end
end

local function same_shift(one, other)
  return one.add == other.add and one.drop == other.drop
end

local function shift_at(old, file, from, widen)
  local shift
  for i, rest in ipairs(old.rests) do
    local at = from + i - 1
    if file.rests[at] ~= rest then
      return nil
    end
    if rest ~= "" then
      local this = shift_between(widen(old.indents[i]), widen(file.indents[at]))
      if not this or (shift and not same_shift(shift, this)) then
        return nil
      end
      shift = this
    end
  end
  return shift
end

local function shifted(indent, shift)
  if shift.add then
    return shift.add .. indent
  elseif indent:sub(1, #shift.drop) == shift.drop then
    return indent:sub(#shift.drop + 1)
  end
  return ""
end

local function reindent(text, shift, widen, width, tabs)
  local function mend(line)
    local indent, rest = split(line)
    if rest == "" then
      return line
    end
    indent = shifted(widen(indent), shift)
    if tabs then
      indent = indent:gsub((" "):rep(width), "\t")
    end
    return indent .. rest
  end
  return (text:gsub("[^\n]+", mend))
end

local function uses_tabs(lines, from, count)
  for i = from, from + count - 1 do
    if lines[i]:find("^\t") then
      return true
    end
  end
  return false
end

-- The line of the old text by which it is looked for: the one that stands least often in the file.
local function rarest_line(rests, file)
  local rarest, least = nil, math.huge
  for i, rest in ipairs(rests) do
    local places = file.places[rest]
    if rest ~= "" and (places and #places or 0) < least then
      rarest, least = i, places and #places or 0
    end
  end
  return rarest
end

local function find_with(file, old_lines, new_text, widen, width)
  local old = {}
  old.indents, old.rests = parts_of(old_lines)
  local key = rarest_line(old.rests, file)
  local found = {}
  for _, place in ipairs(key and file.places[old.rests[key]] or {}) do
    local from = place - key + 1
    local shift = from >= 1 and shift_at(old, file, from, widen)
    if shift then
      local tabs = width and uses_tabs(file.lines, from, #old_lines)
      found[#found + 1] = {
        first = from,
        last = from + #old_lines - 1,
        text = reindent(new_text, shift, widen, width, tabs),
      }
    end
  end
  return found
end

--- Finds the places where the old lines stand under one constant shift of indentation.
---@param file table of new()
---@param old_lines string[]
---@param new_text string
---@return { first: integer, last: integer, text: string }[] lines, and the re-indented new text
function indentation.find_shifted(file, old_lines, new_text)
  return find_with(file, old_lines, new_text, as_it_is)
end

--- Finds the places where the old lines stand with tabs for spaces or the reverse.
---@param file table of new()
---@param old_lines string[]
---@param new_text string
---@return { first: integer, last: integer, text: string }[]
function indentation.find_retabbed(file, old_lines, new_text)
  for _, width in ipairs(TAB_WIDTHS) do
    local found = find_with(file, old_lines, new_text, widener(width), width)
    if #found > 0 then
      return found
    end
  end
  return {}
end

return indentation
