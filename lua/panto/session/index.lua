-- The folder of a working folder's sessions into a list of them, and an id's beginning into a path.

local digest = require("panto.session.digest")
local folder = require("panto.session.folder")
local fs = require("panto.sys.fs")
local header = require("panto.session.header")

local index = {}

local CACHE = ".index"
-- name, time and size as one stamp, created, messages, folder and first text; parted by tabs.
local CACHE_LINE = "([^\t\n]*)\t(%d+:%d+)\t([^\t\n]*)\t(%d+)\t([^\t\n]*)\t([^\n]*)\n"

---@class panto.session.Summary
---@field id string
---@field path string
---@field created string ISO 8601, UTC
---@field messages integer
---@field first_text string? the first user message, one line
---@field cwd string
---@field size integer bytes
---@field stamp string time and size, to see that it is still the same
---@field modified number seconds since 1970

-- What an earlier list found, by file name. It holds only for a file of that time and size.
local function read_cache(files, where)
  local cache = {}
  local text = files.read(where .. "/" .. CACHE) or ""
  for name, stamp, created, messages, cwd, first_text in text:gmatch(CACHE_LINE) do
    cache[name] = {
      stamp = stamp,
      created = created,
      messages = math.tointeger(messages),
      cwd = cwd,
      first_text = first_text ~= "" and first_text or nil,
    }
  end
  return cache
end

-- A cache that cannot be written costs time, nothing else.
local function write_cache(files, where, list)
  local lines = {}
  for i, one in ipairs(list) do
    lines[i] = ("%s.jsonl\t%s\t%s\t%d\t%s\t%s\n"):format(
      one.id,
      one.stamp,
      one.created:gsub("[\t\n]", " "),
      one.messages,
      one.cwd:gsub("[\t\n]", " "),
      (one.first_text or ""):gsub("[\t\n]", " ")
    )
  end
  files.write(where .. "/" .. CACHE, table.concat(lines), { mode = 384 })
end

-- Stamps made equally long sort as text, which is much quicker than by a function.
local function order_of(stamp, name)
  return ("0"):rep(20 - stamp:find(":", 1, true)) .. stamp .. name
end

local function sorted(by_order, orders)
  table.sort(orders)
  local list = {}
  for i = #orders, 1, -1 do
    list[#list + 1] = by_order[orders[i]]
  end
  return list
end

-- Every session file of a folder whose id begins with `prefix`, last written first, none opened.
local function candidates(files, where, prefix)
  local by_order, orders = {}, {}
  for _, entry in ipairs(files.list(where) or {}) do
    local id = entry.name:match("^(%x[%x-]*)%.jsonl$")
    if id and entry.type ~= "directory" and id:sub(1, #prefix) == prefix then
      local path = where .. "/" .. entry.name
      local stamp = files.stamp(path)
      if stamp and stamp:sub(-2) ~= ":0" then
        local order = order_of(stamp, id)
        orders[#orders + 1] = order
        by_order[order] = { id = id, path = path, stamp = stamp }
      end
    end
  end
  return sorted(by_order, orders)
end

local function complete(found, known)
  local modified, size = found.stamp:match("^(%d+):(%d+)$")
  found.modified, found.size = tonumber(modified) / 1e9, math.tointeger(size)
  found.created, found.messages = known.created, known.messages
  found.first_text, found.cwd = known.first_text, known.cwd
  return found
end

local function list_folder(files, where)
  local cache = read_cache(files, where)
  local list, changed = {}, false
  for _, found in ipairs(candidates(files, where, "")) do
    local known = cache[found.id .. ".jsonl"]
    if not known or known.stamp ~= found.stamp then
      known = digest.read(files, found.path)
      changed = changed or known ~= nil
    end
    if known then
      list[#list + 1] = complete(found, known)
    end
  end
  if changed then
    write_cache(files, where, list)
  end
  return list
end

--- Lists a working folder's sessions, last written first.
---@param dir string the folder of all sessions
---@param cwd string
---@param files table? stands in for panto.sys.fs
---@return panto.session.Summary[]
function index.list(dir, cwd, files)
  return list_folder(files or fs, folder.path(dir, cwd))
end

--- Lists the sessions of all working folders, last written first.
---@param dir string the folder of all sessions
---@param files table? stands in for panto.sys.fs
---@return panto.session.Summary[]
function index.list_all(dir, files)
  files = files or fs
  local by_order, orders = {}, {}
  for _, entry in ipairs(files.list(dir) or {}) do
    local where = dir:gsub("/+$", "") .. "/" .. entry.name
    for _, found in ipairs(entry.type == "directory" and list_folder(files, where) or {}) do
      local order = order_of(found.stamp, found.path)
      orders[#orders + 1] = order
      by_order[order] = found
    end
  end
  return sorted(by_order, orders)
end

-- How long two neighbours are the same.
local function common_length(a, b)
  local n = 0
  while n < #a and a:byte(n + 1) == b:byte(n + 1) do
    n = n + 1
  end
  return n
end

--- Returns how many characters tell sessions' ids apart, eight at least.
---@param found { id: string }[]
---@return integer
function index.id_length(found)
  local length, ids = 8, {}
  for i, one in ipairs(found) do
    ids[i] = one.id
  end
  table.sort(ids)
  for i = 2, #ids do
    length = math.max(length, common_length(ids[i - 1], ids[i]) + 1)
  end
  return length
end

--- Returns as much of a session's id as tells it from the others of its folder, eight characters at
--- least.
---@param path string the session's file
---@param files table? stands in for panto.sys.fs
---@return string
function index.short_id(path, files)
  local id, length = path:match("([^/]*)%.jsonl$"), 8
  for _, entry in ipairs((files or fs).list(fs.dirname(path)) or {}) do
    local other = entry.name:match("^(%x[%x-]*)%.jsonl$")
    if other and other ~= id then
      length = math.max(length, common_length(other, id) + 1)
    end
  end
  return id:sub(1, length)
end

-- Ids as short as they can be told apart.
local function short_ids(found)
  local length, shown = index.id_length(found), {}
  for i = 1, math.min(#found, 8) do
    shown[i] = found[i].id:sub(1, length)
  end
  return table.concat(shown, ", ") .. (#found > 8 and ", …" or "")
end

local function latest(files, found, cwd)
  for _, one in ipairs(found) do
    local line = header.read(function(offset, length)
      return files.read_range(one.path, offset, length)
    end)
    if header.decode(line) then
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
  local where = folder.path(dir, cwd)
  local matches = candidates(files, where, (prefix or ""):lower())
  if not prefix or prefix == "" then
    return latest(files, matches, cwd)
  elseif #matches == 1 then
    return matches[1].path
  elseif #matches == 0 then
    local others = candidates(files, where, "")
    if #others == 0 then
      return nil, ("no sessions for %s"):format(cwd)
    end
    local text = 'no session of %s begins with "%s"; there are %s'
    return nil, text:format(cwd, prefix, short_ids(others))
  end
  local text = '"%s" begins %d sessions: %s; give more of the id'
  return nil, text:format(prefix, #matches, short_ids(matches))
end

return index
