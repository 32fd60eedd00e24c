-- Makes a home and a working folder for one test, with the files that it wants, and removes them.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local random = require("panto.sys.random")

---@class panto.TestFolder
---@field root string
---@field work string the folder in which panto seems to be started
local TestFolder = {}
TestFolder.__index = TestFolder

local folder = {}

local HOMES = { "data_home", "config_home", "state_home", "sessions", "cache" }

local CONFIG = [=[
[auth.script]
key = "none"

[providers.script]
style = "script"
base_url = "the spec"
auth = "script"

[extensions]
paths = [%s]
]=]

local function write(path, text)
  local written, message = fs.write(path, text, { parents = true })
  if not written then
    error(message, 0)
  end
end

--- Makes the folders and writes the files.
---@param options { files: table<string, string>?, config: string?, extensions: string[] }
---@return panto.TestFolder
function folder.new(options)
  local name = "panto-test-"
    .. random.bytes(6):gsub(".", function(byte)
      return ("%02x"):format(byte:byte())
    end)
  local root = fs.join(fs.real(env.get("TMPDIR") or "/tmp") or "/tmp", name)
  local self = setmetatable({ root = root, work = fs.join(root, "work") }, TestFolder)
  assert(fs.mkdir(self.work))
  local quoted = {}
  for i, path in ipairs(options.extensions) do
    quoted[i] = json.encode(path)
  end
  write(fs.join(root, "data_home/config.toml"), CONFIG:format(table.concat(quoted, ", ")))
  write(fs.join(root, "config_home/config.toml"), options.config or "")
  for path, text in pairs(options.files or {}) do
    write(fs.expand(path, self.work), text)
  end
  return self
end

--- Returns the folders that stand for panto's own.
---@return table<string, string>
function TestFolder:homes()
  local homes = {}
  for _, name in ipairs(HOMES) do
    homes[name] = fs.join(self.root, name)
  end
  return homes
end

local function remove(path)
  for _, entry in ipairs(fs.list(path) or {}) do
    local inner = fs.join(path, entry.name)
    if entry.type == "directory" then
      remove(inner)
    else
      fs.remove(inner)
    end
  end
  fs.remove(path)
end

--- Removes all of it.
function TestFolder:remove()
  remove(self.root)
end

return folder
