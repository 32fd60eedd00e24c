-- Finds a passage whose indentation differs throughout by one shift, or by tabs against spaces, and
-- turns the new text into the file's own indentation.
local plain = require("std.lib.plain")

local M = {}

local TAB_WIDTHS = { 4, 2, 8, 3 }

local function split(line)
  return line:match("^([ \t]*)(.*)$")
end

-- A line as { indent, rest }; a blank one has no rest.
local function parts_of(lines, widen)
  local parts = {}
  for i, line in ipairs(lines) do
    local indent, rest = split(plain.line(line))
    parts[i] = { widen(indent), rest }
  end
  return parts
end

local function as_it_is(indent)
  return indent
end

local function widener(width)
  return function(indent)
    return (indent:gsub("\t", (" "):rep(width)))
  end
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

local function shift_at(old, file, from)
  local shift
  for i, line in ipairs(old) do
    local there = file[from + i - 1]
    if not there or there[2] ~= line[2] then
      return nil
    end
    if line[2] ~= "" then
      local this = shift_between(line[1], there[1])
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

local function find_with(lines, old_lines, new_text, widen, width)
  local old, file = parts_of(old_lines, widen), parts_of(lines, widen)
  local found = {}
  for from = 1, #lines - #old + 1 do
    local shift = shift_at(old, file, from)
    if shift then
      local tabs = width and uses_tabs(lines, from, #old)
      found[#found + 1] = {
        first = from,
        last = from + #old - 1,
        text = reindent(new_text, shift, widen, width, tabs),
      }
    end
  end
  return found
end

---Finds the places where the old lines stand under one constant shift of indentation.
---@param lines string[] of the file
---@param old_lines string[]
---@param new_text string
---@return { first: integer, last: integer, text: string }[] lines, and the re-indented new text
function M.find_shifted(lines, old_lines, new_text)
  return find_with(lines, old_lines, new_text, as_it_is)
end

---Finds the places where the old lines stand with tabs for spaces or the reverse.
---@param lines string[] of the file
---@param old_lines string[]
---@param new_text string
---@return { first: integer, last: integer, text: string }[]
function M.find_retabbed(lines, old_lines, new_text)
  for _, width in ipairs(TAB_WIDTHS) do
    local found = find_with(lines, old_lines, new_text, widener(width), width)
    if #found > 0 then
      return found
    end
  end
  return {}
end

return M
