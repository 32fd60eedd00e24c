-- TOML text to a Lua table, by the host's parser. What was parsed at the last start is kept as JSON,
-- because loading the parser takes longer than all else that a start does with a configuration.

local fs = require("panto.sys.fs")
local host = require("panto.host")
local json = require("panto.base.json")

local toml = {}

local MAGIC = "panto toml 1\n"

local kept = {} ---@type table<string, string> TOML text to JSON text, as the file has it
local used = {} ---@type table<string, string> what this run has asked for
local changed = false

local function cache_path()
  return fs.join(assert(host.path("cache")), "toml")
end

--- Reads what the last start has parsed; without it every text is parsed anew.
function toml.open_cache()
  local bytes = fs.read(cache_path())
  if not bytes or bytes:sub(1, #MAGIC) ~= MAGIC or bytes:sub(-#MAGIC) ~= MAGIC then
    return
  end
  local at, last = #MAGIC + 1, #bytes - #MAGIC
  while at <= last do
    local text, encoded
    text, encoded, at = string.unpack("<s4s4", bytes, at)
    kept[text] = encoded
  end
end

--- Writes what this start has parsed, for the next one: readable by the user alone, as the
--- configuration may hold keys.
function toml.save_cache()
  if not changed then
    return
  end
  changed = false
  local pieces = { MAGIC }
  for text, encoded in pairs(used) do
    pieces[#pieces + 1] = string.pack("<s4s4", text, encoded)
  end
  pieces[#pieces + 1] = MAGIC
  fs.write(cache_path(), table.concat(pieces), { mode = 384 })
end

--- Parses TOML 1.0; the message of a failure names line and column.
---@param text string
---@return table?
---@return string? message
function toml.decode(text)
  local encoded = kept[text]
  if not encoded then
    local message
    encoded, message = host.toml_to_json(text)
    if not encoded then
      return nil, message
    end
    changed = true
  end
  used[text] = encoded
  return json.decode(encoded)
end

return toml
