-- The folder of a working folder's sessions into a list of them, and an id's beginning into a path.

local folder = require("panto.session.folder")
local fs = require("panto.sys.fs")
local load_session = require("panto.session.load")
local record = require("panto.session.record")

local index = {}

local HEADER_BYTES = 16384
local PIECE_BYTES = 1024 * 1024
local MESSAGE_END = '"type":"message"}\n'

---@class panto.session.Summary
---@field id string
---@field path string
---@field created string ISO 8601, UTC
---@field messages integer
---@field first_text string? the first user message, one line
---@field modified number seconds since 1970

-- Counts the lines of messages; `carry` is the end of the piece before, where a mark may begin.
local function count_marks(piece, carry)
  local text = carry .. piece
  local n, at = 0, 1
  while true do
    local first, last = text:find(MESSAGE_END, at, true)
    if not first then
      return n, text:sub(-(#MESSAGE_END - 1))
    end
    n, at = n + 1, last + 1
  end
end

local function count_messages(files, path)
  local n, offset, carry = 0, 0, ""
  while true do
    local piece = files.read_range(path, offset, PIECE_BYTES)
    if not piece or piece == "" then
      return n
    end
    local found
    found, carry = count_marks(piece, carry)
    n, offset = n + found, offset + #piece
  end
end

local function text_of(message)
  if type(message) ~= "table" or message.role ~= "user" then
    return nil
  end
  for _, part in ipairs(message.content or {}) do
    if part.type == "text" then
      return (part.text:gsub("%s+", " "):gsub("^ ", ""))
    end
  end
end

local function first_text(files, path)
  local piece = files.read_range(path, 0, PIECE_BYTES) or ""
  for line in piece:gmatch("([^\n]*)\n") do
    local entry = record.parse(line)
    local value = entry and entry.type == "message" and record.get(entry)
    local text = value and text_of(value.message)
    if text then
      return text
    end
  end
end

local function read_header(files, path)
  local head = files.read_range(path, 0, HEADER_BYTES)
  return load_session.header(head and head:match("^([^\n]*)\n"))
end

-- Every session file of the folder, last written first, without opening any.
local function candidates(files, dir, cwd)
  local where = folder.path(dir, cwd)
  local found = {}
  for _, entry in ipairs(files.list(where) or {}) do
    local id = entry.name:match("^(%x[%x-]*)%.jsonl$")
    local path = where .. "/" .. entry.name
    local stat = id and files.stat(path)
    if stat and stat.type == "file" and stat.size > 0 then
      found[#found + 1] = { id = id, path = path, modified = stat.mtime }
    end
  end
  table.sort(found, function(a, b)
    if a.modified ~= b.modified then
      return a.modified > b.modified
    end
    return a.id > b.id
  end)
  return found
end

--- Lists a working folder's sessions, last written first.
---@param dir string the folder of all sessions
---@param cwd string
---@param files table? stands in for panto.sys.fs
---@return panto.session.Summary[]
function index.list(dir, cwd, files)
  files = files or fs
  local list = {}
  for _, found in ipairs(candidates(files, dir, cwd)) do
    local header = read_header(files, found.path)
    if header then
      found.created = header.created
      found.messages = count_messages(files, found.path)
      found.first_text = first_text(files, found.path)
      list[#list + 1] = found
    end
  end
  return list
end

-- Ids as short as they can be told apart, eight characters at least.
local function short_ids(found)
  local length, shown = 8, {}
  for i, one in ipairs(found) do
    for j = i + 1, #found do
      while length < 36 and one.id:sub(1, length) == found[j].id:sub(1, length) do
        length = length + 1
      end
    end
  end
  for i = 1, math.min(#found, 8) do
    shown[i] = found[i].id:sub(1, length)
  end
  return table.concat(shown, ", ") .. (#found > 8 and ", …" or "")
end

local function latest(files, found, cwd)
  for _, one in ipairs(found) do
    if read_header(files, one.path) then
      return one.path
    end
  end
  return nil, ("no sessions for %s"):format(cwd)
end

--- Finds the last session of a working folder, or the one whose id begins with `prefix`.
---@param dir string the folder of all sessions
---@param cwd string
---@param prefix string?
---@param files table? stands in for panto.sys.fs
---@return string? path
---@return string? message
function index.find(dir, cwd, prefix, files)
  files = files or fs
  local found = candidates(files, dir, cwd)
  if not prefix or prefix == "" or #found == 0 then
    return latest(files, found, cwd)
  end
  local matches = {}
  for _, one in ipairs(found) do
    if one.id:sub(1, #prefix) == prefix:lower() then
      matches[#matches + 1] = one
    end
  end
  if #matches == 1 then
    return matches[1].path
  elseif #matches == 0 then
    local text = 'no session of %s begins with "%s"; there are %s'
    return nil, text:format(cwd, prefix, short_ids(found))
  end
  local text = '"%s" begins %d sessions: %s; give more of the id'
  return nil, text:format(prefix, #matches, short_ids(matches))
end

return index
