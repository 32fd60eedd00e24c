-- The folders of sessions into lists of them, last written first; what an earlier list read is kept.

local digest = require("panto.session.digest")
local folder = require("panto.session.folder")
local fs = require("panto.sys.fs")

local index = {}

local CACHE = ".index"

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

---@class panto.session.SessionFile
---@field id string
---@field path string
---@field stamp string
---@field same_time panto.session.SessionFile? while they are sorted
---@field known string? what the cache holds of it: created, messages, folder and first text, by tabs

-- What an earlier list found: by file name, its stamp and the rest of its line.
local function read_cache(files, where)
  local cache = {}
  local text = files.read(where .. "/" .. CACHE) or ""
  for name, rest in text:gmatch("([^\t\n]*)\t([^\n]*)\n") do
    cache[name] = rest
  end
  return cache
end

-- A cache that cannot be written costs time, nothing else.
local function write_cache(files, where, list)
  local lines = {}
  for i, one in ipairs(list) do
    lines[i] = ("%s.jsonl\t%s\t%s\n"):format(one.id, one.stamp, one.known)
  end
  files.write(where .. "/" .. CACHE, table.concat(lines), { mode = 384 })
end

local function as_known(found)
  local text = "%s\t%d\t%s\t%s"
  return text:format(
    found.created:gsub("[\t\n]", " "),
    found.messages,
    found.cwd:gsub("[\t\n]", " "),
    (found.first_text or ""):gsub("[\t\n]", " ")
  )
end

--- Finds the session files of a folder whose ids begin with `prefix`, by name, none opened.
---@param where string the folder of one working folder's sessions
---@param prefix string
---@param files table? stands in for panto.sys.fs
---@return panto.session.SessionFile[]
function index.files(where, prefix, files)
  files = files or fs
  local list = {}
  for _, entry in ipairs(files.list(where) or {}) do
    local name = entry.name
    if name:sub(1, #prefix) == prefix and name:find("^%x[%x-]*%.jsonl$") then
      local path = where .. "/" .. name
      local stamp = entry.type ~= "directory" and files.stamp(path)
      if stamp and stamp:sub(-2) ~= ":0" then
        list[#list + 1] = { id = name:sub(1, -7), path = path, stamp = stamp }
      end
    end
  end
  return list
end

local function nanoseconds(stamp)
  return math.tointeger(stamp:match("^%d+")) or 0
end

--- Sorts session files by when they were last written, the last one first.
---@generic T: panto.session.SessionFile
---@param list T[]
---@return T[]
function index.newest_first(list)
  local times, by_time = {}, {}
  for i, one in ipairs(list) do
    local time = -nanoseconds(one.stamp)
    times[i], one.same_time = time, by_time[time]
    by_time[time] = one
  end
  table.sort(times) -- numbers sort much quicker than by a function
  local sorted = {}
  for i, time in ipairs(times) do
    local one = by_time[time]
    sorted[i], by_time[time], one.same_time = one, one.same_time, nil
  end
  return sorted
end

-- The line of the cache, when it is of a file of this time and size.
local function known_of(cache, found)
  local rest, length = cache[found.id .. ".jsonl"], #found.stamp
  if rest and rest:byte(length + 1) == 9 and rest:sub(1, length) == found.stamp then
    return rest:sub(length + 2)
  end
end

-- Adds a folder's sessions to a list; reads the files that the cache does not know.
local function add_folder(files, where, list)
  local cache = read_cache(files, where)
  local own, is_changed = {}, false
  for _, found in ipairs(index.files(where, "", files)) do
    found.known = known_of(cache, found)
    if not found.known then
      local read = digest.read(files, found.path)
      found.known = read and as_known(read)
      is_changed = is_changed or read ~= nil
    end
    if found.known then
      own[#own + 1], list[#list + 1] = found, found
    end
  end
  if is_changed then
    write_cache(files, where, own)
  end
end

local function complete(found)
  local created, messages, cwd, text = found.known:match("^([^\t]*)\t(%d+)\t([^\t]*)\t(.*)$")
  local size = found.stamp:sub(found.stamp:find(":", 1, true) + 1)
  found.created, found.messages, found.cwd = created, math.tointeger(messages), cwd
  found.first_text = text ~= "" and text or nil
  found.modified, found.size = nanoseconds(found.stamp) / 1e9, math.tointeger(size)
  return found
end

local function completed(list)
  local sorted = index.newest_first(list)
  for _, found in ipairs(sorted) do
    complete(found)
  end
  return sorted
end

--- Lists a working folder's sessions, last written first.
---@param dir string the folder of all sessions
---@param cwd string
---@param files table? stands in for panto.sys.fs
---@return panto.session.Summary[]
function index.list(dir, cwd, files)
  local list = {}
  add_folder(files or fs, folder.path(dir, cwd), list)
  return completed(list)
end

--- Returns the folders of all working folders' sessions.
---@param dir string the folder of all sessions
---@param files table? stands in for panto.sys.fs
---@return string[]
function index.folders(dir, files)
  local list = {}
  for _, entry in ipairs((files or fs).list(dir) or {}) do
    if entry.type == "directory" then
      list[#list + 1] = dir:gsub("/+$", "") .. "/" .. entry.name
    end
  end
  return list
end

--- Lists the sessions of all working folders, last written first.
---@param dir string the folder of all sessions
---@param files table? stands in for panto.sys.fs
---@return panto.session.Summary[]
function index.list_all(dir, files)
  local list = {}
  for _, where in ipairs(index.folders(dir, files)) do
    add_folder(files or fs, where, list)
  end
  return completed(list)
end

return index
