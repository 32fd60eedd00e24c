-- The folders of sessions into lists of them, last written first; what an earlier list read is kept.

local digest = require("panto.session.digest")
local folder = require("panto.session.folder")
local fs = require("panto.sys.fs")

local index = {}

local CACHE = ".index"
-- To read one session in so many again costs less than to write the cache of all of them.
local MANY = 200

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

-- What a line of the cache has behind file and stamp: when it was created, messages, working folder,
-- and the first text, to the line's end.
local REST = "^([^\t\n]*)\t(%d+)\t([^\t\n]*)\t()"

-- What an earlier list found: a function that gives the rest of a file's line when it has this stamp.
-- The lines stand in the order of the files' names, in which it has to be asked.
local function read_cache(files, where)
  local cache, pos = files.read(where .. "/" .. CACHE) or "", 1
  return function(name, stamp)
    local wanted = name .. "\t" .. stamp .. "\t"
    local stop = cache:find("\n", pos, true)
    while stop and cache:sub(pos, pos + #wanted - 1) ~= wanted do
      if cache:match("^[^\t\n]*", pos) > name then
        return nil
      end
      pos, stop = stop + 1, cache:find("\n", stop + 1, true)
    end
    if stop then
      local created, messages, cwd, at = cache:match(REST, pos + #wanted)
      pos = stop + 1
      if math.tointeger(messages) then
        return created, messages, cwd, cache:sub(at, stop - 1)
      end
    end
  end
end

-- A cache that cannot be written costs time, nothing else.
local function write_cache(files, where, list)
  local lines = {}
  for i, one in ipairs(list) do
    local values = { one.id .. ".jsonl", one.stamp, one.created, one.messages, one.cwd }
    values[6] = one.first_text or ""
    lines[i] = table.concat(values, "\t") .. "\n"
  end
  files.write(where .. "/" .. CACHE, table.concat(lines), { mode = 384 })
end

local function in_one_line(text)
  return (text:gsub("[\t\n]", " "))
end

local function read_digest(files, path)
  local found = digest.read(files, path)
  if not found then
    return nil
  end
  local text = in_one_line(found.first_text or "")
  return in_one_line(found.created), found.messages, in_one_line(found.cwd), text
end

-- The files of sessions: their names, paths and stamps; none is opened.
local function find_files(where, prefix, files)
  local names, paths, length = {}, {}, #prefix
  for _, name in ipairs(files.file_names(where) or {}) do
    if name:sub(1, length) == prefix and name:find("^%x[%x-]*%.jsonl$") then
      names[#names + 1], paths[#paths + 1] = name, where .. "/" .. name
    end
  end
  return names, paths, files.stamps(paths)
end

-- Whether there is a file, and something in it.
local function is_written(stamp)
  return stamp ~= "" and stamp:sub(-2) ~= ":0"
end

--- Finds the session files of a folder whose ids begin with `prefix`, by name, none opened.
---@param where string the folder of one working folder's sessions
---@param prefix string
---@param files table? stands in for panto.sys.fs
---@return panto.session.SessionFile[]
function index.files(where, prefix, files)
  local list = {}
  local names, paths, stamps = find_files(where, prefix, files or fs)
  for i, name in ipairs(names) do
    if is_written(stamps[i]) then
      list[#list + 1] = { id = name:sub(1, -7), path = paths[i], stamp = stamps[i] }
    end
  end
  return list
end

-- Negative nanoseconds, so that the last comes first; numbers sort much quicker than by a function.
local function sorted_times(list)
  local times, by_time, is_sorted = {}, {}, true
  for i, one in ipairs(list) do
    local time = -(math.tointeger(one.stamp:match("^%-?%d+")) or 0)
    is_sorted = is_sorted and time <= (times[i - 1] or time)
    times[i], one.same_time = time, by_time[time]
    by_time[time] = one
  end
  if is_sorted then -- written in the order of their ids, as most are
    for i = 1, #times // 2 do
      times[i], times[#times + 1 - i] = times[#times + 1 - i], times[i]
    end
  else
    table.sort(times)
  end
  return times, by_time
end

--- Sorts session files by when they were last written, the last one first.
---@generic T: panto.session.SessionFile
---@param list T[]
---@return T[]
function index.newest_first(list)
  local sorted, times, by_time = {}, sorted_times(list)
  for i, time in ipairs(times) do
    local one = by_time[time]
    sorted[i], by_time[time], one.same_time = one, one.same_time, nil
  end
  return sorted
end

-- Adds a folder's sessions to a list; reads the files that the cache does not know.
local function add_folder(files, where, list)
  local known = read_cache(files, where)
  local own, changed = {}, 0
  local names, paths, stamps = find_files(where, "", files)
  for i, name in ipairs(names) do
    local stamp, path = stamps[i], paths[i]
    local created, messages, cwd, text
    if is_written(stamp) then
      created, messages, cwd, text = known(name, stamp)
    end
    if not created and is_written(stamp) then
      created, messages, cwd, text = read_digest(files, path)
      changed = changed + (created and 1 or 0)
    end
    if created then
      local time, size = stamp:match("^(%-?%d+):(%d+)$")
      local one = {
        id = name:sub(1, -7),
        path = path,
        stamp = stamp,
        created = created,
        messages = math.tointeger(messages),
        cwd = cwd,
        first_text = text ~= "" and text or nil,
        modified = math.tointeger(time) / 1e9,
        size = math.tointeger(size),
      }
      own[#own + 1], list[#list + 1] = one, one
    end
  end
  if changed > #own // MANY then
    write_cache(files, where, own)
  end
end

--- Lists a working folder's sessions, last written first.
---@param dir string the folder of all sessions
---@param cwd string
---@param files table? stands in for panto.sys.fs
---@return panto.session.Summary[]
function index.list(dir, cwd, files)
  local list = {}
  add_folder(files or fs, folder.path(dir, cwd), list)
  return index.newest_first(list)
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
  return index.newest_first(list)
end

return index
