-- A folder's .panto/ into the list of the files that panto could load from it, and their digest.
-- Of its configuration only the paths and rocks are looked at, to list what they name.

local digest = require("panto.sys.digest")
local fs = require("panto.sys.fs")
local toml = require("panto.sys.toml")

local project_files = {}

local MAX_FILES, MAX_BYTES = 5000, 64 * 1024 * 1024
local CONFIG = { "config.toml", "config.local.toml" }

---@class panto.ProjectFile
---@field path string absolute
---@field name string as it is shown
---@field size integer

---@class panto.ProjectFiles
---@field files panto.ProjectFile[]
---@field paths string[] of [extensions] paths
---@field rocks string[] of [extensions] rocks
---@field keys string[] the tables of the configuration, such as "providers.openai"
---@field hash string
---@field problem string? why it cannot be trusted at all

---@class panto.ProjectWalk: panto.ProjectFiles
---@field bytes integer
---@field pieces string[]
---@field seen table<string, true> folders, by their real path

local function add_file(self, path, name, stat)
  local is_regular = stat.type == "file"
  self.bytes = self.bytes + (is_regular and stat.size or 0)
  if #self.files >= MAX_FILES or self.bytes > MAX_BYTES then
    self.problem = "it has more files than panto looks through"
    return
  end
  local bytes = is_regular and (fs.read(path) or "unreadable") or stat.type
  self.files[#self.files + 1] = { path = path, name = name, size = #bytes }
  self.pieces[#self.pieces + 1] = ("%d:%s%d:%s"):format(#name, name, #bytes, bytes)
end

-- Links are followed, since the loader follows them; a folder is walked once.
local function walk(self, path, name, accepts)
  local stat = not self.problem and fs.stat(path)
  if not stat then
    return
  elseif stat.type ~= "directory" then
    if accepts(name) then
      add_file(self, path, name, stat)
    end
    return
  end
  local real = fs.real(path) or path
  if self.seen[real] then
    return
  end
  self.seen[real] = true
  for _, entry in ipairs(fs.list(path) or {}) do
    walk(self, fs.join(path, entry.name), name .. "/" .. entry.name, accepts)
  end
end

local function any()
  return true
end

local function is_lua(name)
  return name:find("%.lua$") ~= nil
end

local function strings(list)
  local found = {}
  for _, value in ipairs(type(list) == "table" and list or {}) do
    if type(value) == "string" then
      found[#found + 1] = value
    end
  end
  return found
end

local function add_keys(self, name, data)
  for key, value in pairs(data) do
    if type(value) ~= "table" then
      self.keys[#self.keys + 1] = name
      return
    elseif name == "providers" or name == "auth" then
      self.keys[#self.keys + 1] = name .. "." .. tostring(key)
    else
      self.keys[#self.keys + 1] = name
      return
    end
  end
end

local function add_config(self, data, cwd)
  for name, value in pairs(data) do
    if type(value) == "table" then
      add_keys(self, name, value)
    end
  end
  local extensions = type(data.extensions) == "table" and data.extensions or {}
  for _, path in ipairs(strings(extensions.paths)) do
    self.paths[#self.paths + 1] = path
    walk(self, fs.expand(path, cwd), path, is_lua)
  end
  table.move(strings(extensions.rocks), 1, #strings(extensions.rocks), #self.rocks + 1, self.rocks)
end

--- Lists what the .panto/ of a folder could load; nil when there is nothing.
---@param cwd string
---@return panto.ProjectFiles?
function project_files.read(cwd)
  local folder = fs.join(cwd, ".panto")
  if not fs.stat(folder) then
    return nil
  end
  ---@type panto.ProjectWalk
  local self =
    { files = {}, paths = {}, rocks = {}, keys = {}, pieces = {}, seen = {}, bytes = 0, hash = "" }
  walk(self, folder, ".panto", any)
  if not self.files[1] and not self.problem then
    return nil
  end
  for _, name in ipairs(CONFIG) do
    local path = fs.join(folder, name)
    local stat = fs.stat(path)
    local text = stat and stat.type == "file" and stat.size <= MAX_BYTES and fs.read(path)
    add_config(self, text and toml.decode(text) or {}, cwd)
  end
  table.sort(self.keys)
  self.hash = digest.sha256(table.concat(self.pieces))
  self.pieces = nil
  return self
end

return project_files
