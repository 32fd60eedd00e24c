-- Whether the .panto/ of a folder may be loaded: remembered in the state home by folder and content.

local ansi = require("panto.base.ansi")
local clock = require("panto.sys.clock")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local project_files = require("panto.app.project_files")

local trust = {}

local SHOWN = 40

---@class panto.Trust
---@field folder string the folder's real path
---@field state "none"|"trusted"|"new"|"changed"|"refused"
---@field found panto.ProjectFiles?

local function store_path()
  return fs.join(env.path("state_home"), "trust.json")
end

local function read_store()
  local bytes = fs.read(store_path())
  local data = bytes and json.decode(bytes)
  if type(data) ~= "table" or type(data.folders) ~= "table" then
    return { folders = {} }
  end
  return data
end

local function change_store(change)
  local made, message = fs.mkdir(env.path("state_home"))
  if not made then
    return nil, message
  end
  local lock <close> = fs.lock(store_path() .. ".lock", { wait = true })
  local data = read_store()
  change(data.folders)
  return fs.write(store_path(), json.encode(data) .. "\n", { mode = 384, parents = true }),
    lock and nil
end

--- Tells how it stands with the .panto/ of a folder; nothing of it is loaded.
---@param cwd string
---@return panto.Trust
function trust.read(cwd)
  local found = project_files.read(cwd)
  local folder = fs.real(cwd) or cwd
  if not found then
    return { folder = folder, state = "none" }
  end
  local known = read_store().folders[folder]
  local state = "new"
  if found.problem then
    state = "refused"
  elseif type(known) == "table" and known.hash then
    state = known.hash == found.hash and "trusted" or "changed"
  end
  return { folder = folder, state = state, found = found }
end

--- Remembers that what was found may be loaded, as long as it stays as it is.
---@param read panto.Trust
---@return boolean? done
---@return string? message
function trust.add(read)
  return change_store(function(folders)
    folders[read.folder] = { hash = read.found.hash, time = clock.now_ms() // 1000 }
  end)
end

--- Forgets a folder; false when it was not known.
---@param cwd string
---@return boolean? known
---@return string? message
function trust.remove(cwd)
  local folder = fs.real(cwd) or cwd
  local known = read_store().folders[folder] ~= nil
  if not known then
    return false
  end
  local done, message = change_store(function(folders)
    folders[folder] = nil
  end)
  return done and true, message
end

local function add_list(lines, title, list)
  if list[1] then
    lines[#lines + 1] = ("  %s: %s"):format(title, ansi.reveal(table.concat(list, ", ")))
  end
end

--- Lists what would be loaded, as lines for people.
---@param read panto.Trust
---@return string
function trust.describe(read)
  local found, lines = read.found, {}
  for i, file in ipairs(found and found.files or {}) do
    if i > SHOWN then
      lines[i] = ("  … and %d more files"):format(#found.files - SHOWN)
      break
    end
    local name = ansi.reveal(file.name):gsub("\n", "?")
    lines[i] = ("  %s (%d bytes)"):format(name, file.size)
  end
  if found then
    add_list(lines, "the configuration sets", found.keys)
    add_list(lines, "extension paths", found.paths)
    add_list(lines, "rocks", found.rocks)
  end
  return table.concat(lines, "\n")
end

local WARNINGS = {
  new = "%s/.panto is left out: its code and configuration are not trusted; "
    .. "`panto trust` shows and accepts them",
  changed = "%s/.panto is left out: it has changed since it was trusted; "
    .. "`panto trust` shows and accepts it",
  refused = "%s/.panto is left out: %s",
}

--- Says why the .panto/ of a folder is left out; nil when it is not.
---@param read panto.Trust
---@return string?
function trust.warning(read)
  local text = WARNINGS[read.state]
  return text and text:format(read.folder, read.found.problem)
end

return trust
