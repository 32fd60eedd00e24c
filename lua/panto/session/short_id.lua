-- Sessions' ids into as much of them as tells each from the others: eight characters at least.

local fs = require("panto.sys.fs")

local short_id = {}

local LEAST = 8

-- How much of an id differs from another; `length` is what is known to be needed. It is tried first
-- whether `likely` is enough: ids of one list differ from their neighbours in much the same place.
local function lengthen(length, id, other, likely)
  if id == other or id:sub(1, length) ~= other:sub(1, length) then
    return length
  elseif likely and likely > length and id:sub(1, likely - 1) == other:sub(1, likely - 1) then
    length = likely
  end
  while id:byte(length) == other:byte(length) do
    length = length + 1
  end
  return length
end

--- Returns the ids of a list cut short, each as short as it can be.
---@param list { id: string }[]
---@return table<string, string> by id
---@return integer longest
function short_id.all(list)
  local ids, shown, longest = {}, {}, LEAST
  local count, is_sorted = #list, true
  for i, one in ipairs(list) do -- begins with the last: the newest is the first, and has the last id
    local at = count + 1 - i
    ids[at] = one.id
    is_sorted = is_sorted and (i == 1 or one.id <= ids[at + 1])
  end
  if not is_sorted then
    table.sort(ids)
  end
  local before = LEAST
  for i, id in ipairs(ids) do
    local other = ids[i + 1] or ""
    local after = id == other and before or lengthen(LEAST, id, other, before)
    local length = before > after and before or after
    shown[id], before = id:sub(1, length), after
    longest = length > longest and length or longest
  end
  return shown, longest
end

--- Returns as much of a session's id as tells it from the others of its folder.
---@param path string the session's file
---@param files table? stands in for panto.sys.fs
---@return string
function short_id.of(path, files)
  local id, length = path:match("([^/]*)%.jsonl$"), LEAST
  for _, entry in ipairs((files or fs).list(fs.dirname(path)) or {}) do
    local other = entry.name:match("^(%x[%x-]*)%.jsonl$")
    length = other and lengthen(length, id, other) or length
  end
  return id:sub(1, length)
end

return short_id
