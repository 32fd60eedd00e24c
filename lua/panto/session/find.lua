-- The beginning of an id into the path of its session; what is ambiguous or unknown is answered with
-- what there is.

local folder = require("panto.session.folder")
local fs = require("panto.sys.fs")
local header = require("panto.session.header")
local index = require("panto.session.index")
local short_id = require("panto.session.short_id")

local find = {}

local MOST_NAMED = 8

local function header_of(files, path)
  local line = header.read(function(offset, length)
    return files.read_range(path, offset, length)
  end)
  return (header.decode(line))
end

-- Ids as short as they can be told apart, newest first; with `files`, whose folder they are of.
local function named(found, files)
  local shown, texts = short_id.all(found), {}
  for i, one in ipairs(index.newest_first(found)) do
    if i > MOST_NAMED then
      texts[i] = "…"
      break
    end
    local of = files and (header_of(files, one.path) or {}).cwd
    texts[i] = shown[one.id] .. (of and " of " .. of or "")
  end
  return table.concat(texts, ", ")
end

local function ambiguous(prefix, found, files)
  local text = '"%s" begins %d sessions: %s; give more of the id'
  return nil, text:format(prefix, #found, named(found, files))
end

local function latest(files, where, cwd)
  for _, one in ipairs(index.newest_first(index.files(where, "", files))) do
    if header_of(files, one.path) then
      return one.path
    end
  end
  return nil, ("no sessions for %s"):format(cwd)
end

local function unknown(files, where, cwd, prefix)
  local others = index.files(where, "", files)
  if not others[1] then
    return nil, ("no sessions for %s"):format(cwd)
  end
  local text = 'no session of %s begins with "%s"; there are %s'
  return nil, text:format(cwd, prefix, named(others))
end

-- What other folders have that begins so.
local function elsewhere(files, dir, where, prefix)
  local found = {}
  for _, other in ipairs(index.folders(dir, files)) do
    if other ~= where then
      local list = index.files(other, prefix, files)
      table.move(list, 1, #list, #found + 1, found)
    end
  end
  return found
end

--- Finds the session whose id begins with `prefix`: of the working folder, else of any other one.
---@param dir string the folder of all sessions
---@param cwd string
---@param prefix string
---@param files table? stands in for panto.sys.fs
---@return string? path
---@return string? message
function find.anywhere(dir, cwd, prefix, files)
  files = files or fs
  local where = folder.path(dir, cwd)
  prefix = prefix:lower()
  local found, is_here = index.files(where, prefix, files), true
  if not found[1] then
    found, is_here = elsewhere(files, dir, where, prefix), false
  end
  if found[2] then
    return ambiguous(prefix, found, not is_here and files or nil)
  elseif not found[1] then
    return nil, ('no session begins with "%s"; panto sessions --all lists them'):format(prefix)
  end
  return found[1].path
end

--- Finds the last session of a working folder, or the one whose id begins with `prefix`.
---@param dir string the folder of all sessions
---@param cwd string
---@param prefix string?
---@param files table? stands in for panto.sys.fs
---@return string? path
---@return string? message
function find.here(dir, cwd, prefix, files)
  files = files or fs
  local where = folder.path(dir, cwd)
  if not prefix or prefix == "" then
    return latest(files, where, cwd)
  end
  local found = index.files(where, prefix:lower(), files)
  if found[2] then
    return ambiguous(prefix, found)
  elseif found[1] then
    return found[1].path
  end
  local others = elsewhere(files, dir, where, prefix:lower())
  local made = #others == 1 and header_of(files, others[1].path)
  if made then
    local text = "session %s is of %s: go on with it there, or with a copy of it here by --fork"
    return nil, text:format(prefix, made.cwd)
  end
  return unknown(files, where, cwd, prefix)
end

return find
