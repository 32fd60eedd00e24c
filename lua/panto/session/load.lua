-- The bytes of a session file into its header, its entries, and what is torn or broken in it.

local json = require("panto.base.json")
local record = require("panto.session.record")

local load_session = {}

load_session.VERSION = 1

---@class panto.session.Loaded
---@field header table
---@field entries panto.session.Entry[] in the order of the file, parents mended
---@field by_id table<string, integer> an id's place in `entries`
---@field size integer bytes that are good
---@field torn string? what follows them: a line whose writing was cut short
---@field unended boolean the last line is whole but lacks its line end
---@field notes string[]

--- Checks a file's first line.
---@param line string?
---@return table? header
---@return string? message
function load_session.header(line)
  local header = line and json.decode(line)
  if type(header) ~= "table" or header.type ~= "session" or type(header.id) ~= "string" then
    return nil, "is not a panto session"
  elseif math.type(header.version) ~= "integer" or header.version > load_session.VERSION then
    return nil, ("was written by a newer panto (session version %s)"):format(header.version)
  end
  return header
end

-- A record hangs on its parent; when that is lost, on the record before it.
local function add(loaded, entry, number)
  local parent = entry.parent and loaded.by_id[entry.parent]
  local before = loaded.entries[#loaded.entries]
  if not parent and before then
    if entry.parent then
      local text = "line %d: its parent %s is missing; it follows the record before it"
      table.insert(loaded.notes, text:format(number, entry.parent))
    end
    entry.parent = entry.parent and before.id or nil
  end
  table.insert(loaded.entries, entry)
  loaded.by_id[entry.id] = #loaded.entries
end

-- Parent ids become places, so that a repeated id can make no ring.
local function add_line(loaded, line, number)
  local entry = line ~= "" and record.parse(line) or nil
  if entry and loaded.by_id[entry.id] then
    table.insert(loaded.notes, ("line %d: repeats the id %s; skipped"):format(number, entry.id))
  elseif entry then
    add(loaded, entry, number)
  elseif line ~= "" then
    table.insert(loaded.notes, ("line %d: is broken; skipped"):format(number))
  end
end

local function add_tail(loaded, tail, number)
  if tail == "" then
    return
  end
  local entry = record.decode(tail) and record.parse(tail)
  if entry then
    loaded.unended = true
    loaded.size = loaded.size + #tail
    add_line(loaded, tail, number)
  else
    loaded.torn = tail
  end
end

--- Parses a session file.
---@param bytes string
---@return panto.session.Loaded?
---@return string? message
function load_session.parse(bytes)
  local first_end = bytes:find("\n", 1, true)
  local header, message = load_session.header(first_end and bytes:sub(1, first_end - 1))
  if not header then
    return nil, message
  end
  local loaded = { header = header, entries = {}, by_id = {}, notes = {}, unended = false }
  local at, number = first_end + 1, 1
  while true do
    local line_end = bytes:find("\n", at, true)
    number = number + 1
    if not line_end then
      break
    end
    add_line(loaded, bytes:sub(at, line_end - 1), number)
    at = line_end + 1
  end
  loaded.size = at - 1
  add_tail(loaded, bytes:sub(at), number)
  return loaded
end

return load_session
