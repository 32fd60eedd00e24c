-- Turns an edit's old text into the ranges of a body where it stands, by ever more lenient steps.
local indent = require("std.lib.indent")
local plain = require("std.lib.plain")

local locate = {}

--- Returns the lines of a text without their newlines.
---@param text string
---@return string[]
function locate.split_lines(text)
  local lines = {}
  for line in (text:sub(-1) == "\n" and text or text .. "\n"):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line
  end
  return lines
end

local function each_place(body, wanted)
  local at = 1
  return function()
    local start, stop = body:find(wanted, at, true)
    if start then
      at = stop + 1
      return start, stop + 1
    end
  end
end

local function find_exact(places, edit)
  local found = {}
  for from, to in each_place(places.body, edit.old_text) do
    found[#found + 1] = { from = from, to = to, text = edit.new_text }
  end
  return found
end

local function find_plain(places, edit)
  local wanted = plain.text(edit.old_text)
  if not wanted:find("[^%s]") then
    return {}
  end
  local whole_end = edit.old_text:find("[ \t]$") ~= nil
  places.plain = places.plain or plain.new(places.body)
  local text, found = places.plain.text, {}
  for start, stop in each_place(text, wanted) do
    local from, to = places.plain:start_of(start), places.plain:end_of(stop)
    if from and to and not (whole_end and text:byte(stop) ~= 10) then
      found[#found + 1] = { from = from, to = to, text = edit.new_text }
    end
  end
  return found
end

local function line_starts(lines)
  local starts, at = {}, 1
  for i, line in ipairs(lines) do
    starts[i] = at
    at = at + #line + 1
  end
  starts[#lines + 1] = at
  return starts
end

local function by_lines(find)
  return function(places, edit)
    if not edit.old_text:find("%S") then
      return {}
    end
    places.file = places.file or indent.new(locate.split_lines(places.body))
    places.starts = places.starts or line_starts(places.file.lines)
    local whole = edit.old_text:sub(-1) == "\n"
    local found = find(places.file, locate.split_lines(edit.old_text), edit.new_text)
    for i, range in ipairs(found) do
      local after = places.starts[range.last + 1]
      found[i] = {
        from = places.starts[range.first],
        to = whole and after or after - 1,
        text = range.text,
      }
    end
    return found
  end
end

local STEPS = {
  find_exact,
  find_plain,
  by_lines(indent.find_shifted),
  by_lines(indent.find_retabbed),
}

--- Finds every range of the body where the edit's old text stands, by the first step that finds any.
---@param places { body: string } kept between the edits of one file; lines are added to it
---@param edit { old_text: string, new_text: string }
---@return { from: integer, to: integer, text: string }[] ranges (`to` exclusive) and their new text
function locate.find(places, edit)
  for _, step in ipairs(STEPS) do
    local found = step(places, edit)
    if #found > 0 then
      return found
    end
  end
  return {}
end

return locate
