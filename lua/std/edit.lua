-- The std.edit tool: turns replacements of passages into a changed file, all of them or none.
local locate = require("std.lib.locate")
local panto = require("panto")
local passage = require("std.lib.passage")
local source = require("std.lib.source")
local target = require("std.lib.target")

local fs, text = panto.fs, panto.text

local CONTEXT = 4
local MAX_DIFF = 50 * 1024
local MAX_NEAREST_LINES = 60
local MAX_PLACES = 10

local function list_of(input)
  if input.edits and #input.edits > 0 then
    return input.edits
  elseif input.old_text and input.new_text then
    return { input }
  end
  return nil, 'nothing to edit: give edits = [{"old_text": …, "new_text": …}]'
end

-- How one edit is named in a message.
local function label(index, count)
  return count > 1 and ("edits[%d]: "):format(index) or ""
end

local function check(edit, index, count)
  if edit.old_text == "" then
    local advice = "old_text is empty; to fill a file use std.write"
    return nil, label(index, count) .. advice
  elseif edit.old_text == edit.new_text then
    return nil, label(index, count) .. "old_text and new_text are the same"
  end
  return true
end

local function not_found(places, edit, path)
  local lines = locate.split_lines(places.body)
  local wanted = locate.split_lines(edit.old_text)
  local first, last = passage.nearest(lines, wanted)
  local message = ("old_text was not found in %s"):format(path)
  if not first or #wanted > MAX_NEAREST_LINES then
    return message .. "; nothing in it is near. Read the file again with std.read"
  end
  local there = table.concat(lines, "\n", first, last) .. "\n"
  local diff = text.unified_diff(table.concat(wanted, "\n") .. "\n", there, { context = CONTEXT })
  local intro = "%s. The nearest passage is lines %d-%d (- your old_text, + the file):\n%s"
  return intro:format(message, first, last, diff)
end

local function not_unique(found, places, path)
  local numbers = {}
  for i = 1, math.min(#found, MAX_PLACES) do
    numbers[i] = places.source:line_of(found[i].from)
  end
  local more = #found > MAX_PLACES and ", …" or ""
  local message = "old_text stands %d times in %s, at lines %s%s; "
    .. "give more lines around it, or set replace_all"
  return message:format(#found, path, table.concat(numbers, ", "), more)
end

local function find_one(places, edit, path)
  local found = locate.find(places, edit)
  if #found == 0 then
    return nil, not_found(places, edit, path)
  elseif #found > 1 and not edit.replace_all then
    return nil, not_unique(found, places, path)
  end
  return found
end

local function check_apart(changes, places)
  table.sort(changes, function(a, b)
    return a.from < b.from or (a.from == b.from and a.to < b.to)
  end)
  for i = 2, #changes do
    local one, other = changes[i - 1], changes[i]
    if other.from < one.to then
      local message = "edits[%d] and edits[%d] overlap at line %d; make them one edit"
      local low, high = math.min(one.edit, other.edit), math.max(one.edit, other.edit)
      return nil, message:format(low, high, places.source:line_of(other.from))
    end
  end
  return changes
end

-- Locates all edits in the original; the first that cannot be placed ends it.
local function find_all(edits, places, path)
  local changes = {}
  for i, given in ipairs(edits) do
    local edit = {
      old_text = source.normal(given.old_text),
      new_text = source.normal(given.new_text),
      replace_all = given.replace_all,
    }
    local ok, message = check(edit, i, #edits)
    if not ok then
      return nil, message
    end
    local found, problem = find_one(places, edit, path)
    if not found then
      return nil, label(i, #edits) .. problem
    end
    for _, change in ipairs(found) do
      change.edit = i
      changes[#changes + 1] = change
    end
  end
  return check_apart(changes, places)
end

local function read_source(path)
  local stat, message, code = fs.stat(path)
  if not stat then
    return nil, target.failure(path, message, code)
  elseif stat.type ~= "file" then
    return nil, ("%s is a %s, not a file"):format(path, stat.type)
  end
  local bytes
  bytes, message, code = fs.read(path)
  if not bytes then
    return nil, target.failure(path, message, code)
  elseif bytes:find("\0", 1, true) then
    return nil, ("%s is a binary file; std.edit changes text only"):format(path)
  end
  return bytes
end

local function cut_diff(diff)
  if #diff <= MAX_DIFF then
    return diff
  end
  local kept = diff:sub(1, MAX_DIFF):match("^.*\n") or ""
  local _, left = diff:sub(#kept + 1):gsub("\n", "")
  return kept .. ("[%d more lines of the diff are left out]\n"):format(left)
end

local function edit_file(path, edits)
  local bytes, message = read_source(path)
  if not bytes then
    return nil, message
  end
  local origin = source.new(bytes)
  local places = { body = origin.body, source = origin }
  local changes, problem = find_all(edits, places, path)
  if not changes then
    return nil, problem .. (#edits > 1 and "\nNothing was changed." or "")
  end
  local changed = origin:apply(changes)
  if changed == bytes then
    return nil, ("the edits leave %s as it is"):format(path)
  end
  local done, failure, code = fs.write(path, changed)
  if not done then
    return nil, target.failure(path, failure, code)
  end
  local after = source.new(changed)
  local options = { context = CONTEXT, path = path:gsub("^/", "") }
  return cut_diff(text.unified_diff(origin.body, after.body, options)), #changes
end

local EDIT_FIELDS = {
  old_text = { type = "string", description = "The passage as it stands in the file, unique" },
  new_text = { type = "string", description = "What replaces it" },
  replace_all = { type = "boolean", description = "Replace every occurrence" },
}

return {
  name = "std.edit",
  description = "Change passages of a file. Every old_text is looked for in the file as it is "
    .. "before the call and must stand there once (or set replace_all). Several edits of one file "
    .. "go into one call. The answer is a diff.",
  schema = {
    type = "object",
    properties = {
      path = { type = "string", description = "File to change, relative or absolute" },
      edits = {
        type = "array",
        description = "The replacements; they must not overlap",
        items = {
          type = "object",
          properties = EDIT_FIELDS,
          required = { "old_text", "new_text" },
        },
      },
      old_text = EDIT_FIELDS.old_text,
      new_text = EDIT_FIELDS.new_text,
      replace_all = EDIT_FIELDS.replace_all,
    },
    required = { "path" },
  },
  handler = function(input, ctx)
    local edits, message = list_of(input)
    if not edits then
      return { text = message, is_error = true }
    end
    local path = target.resolve(input.path, ctx)
    local diff, count = edit_file(path, edits)
    if not diff then
      return { text = count, is_error = true }
    end
    local answer = count == 1 and "1 replacement in %s\n%s" or count .. " replacements in %s\n%s"
    return { text = answer:format(path, diff), details = { diff = diff, path = path } }
  end,
}
