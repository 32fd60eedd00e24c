-- Keeps panto's own Lua files compiled between starts: one cache file, an entry a source file, each
-- used only while its source has the time and size that it was compiled from.

local fs_read = require("panto.sys.fs_read")
local host = require("panto.host")

local chunks = {}

local MAGIC = "panto chunks 1 " .. _VERSION .. "\n"

local entries = {} ---@type table<string, { stamp: string, code: string, used: boolean? }>
local cache_path = nil ---@type string?
local changed = false

local function read_cache(path)
  local file = io.open(path, "rb")
  local bytes = file and file:read("a") or ""
  if file then
    file:close()
  end
  if bytes:sub(1, #MAGIC) ~= MAGIC or bytes:sub(-#MAGIC) ~= MAGIC then
    return
  end
  local at, last = #MAGIC + 1, #bytes - #MAGIC
  while at <= last do
    local source, stamp, code
    source, stamp, code, at = string.unpack("<s4s4s4", bytes, at)
    entries[source] = { stamp = stamp, code = code }
  end
end

local function compile(source, stamp)
  local chunk, message = loadfile(source, "t")
  if chunk then
    entries[source] = { stamp = stamp, code = string.dump(chunk), used = true }
    changed = true
  end
  return chunk, message
end

--- Loads a Lua file, from the cache when that is still right.
---@param source string absolute path
---@return function? chunk
---@return string? message
function chunks.load(source)
  local stamp = cache_path and fs_read.stamp(source)
  if not stamp then
    return loadfile(source, "t")
  end
  local entry = entries[source]
  if entry and entry.stamp == stamp then
    entry.used = true
    local chunk = load(entry.code, "@" .. source, "b")
    if chunk then
      return chunk
    end
  end
  return compile(source, stamp)
end

-- Only panto's own modules and the standard tools'; others go the way of every Lua.
local function search(root)
  return function(name)
    if name ~= "panto" and name:sub(1, 6) ~= "panto." and name:sub(1, 4) ~= "std." then
      return nil
    end
    local base = root .. "/" .. name:gsub("%.", "/")
    for _, source in ipairs({ base .. ".lua", base .. "/init.lua" }) do
      if entries[source] or fs_read.stamp(source) then
        local chunk, message = chunks.load(source)
        if not chunk then
          error(message, 0)
        end
        return chunk, source
      end
    end
  end
end

--- Loads panto's modules through the cache from now on.
function chunks.install()
  local root = assert(host.path("lua_root"))
  local name = root:gsub("[^%w]", "_"):sub(-80)
  cache_path = ("%s/chunks-%s"):format(assert(host.path("cache")), name)
  read_cache(cache_path)
  table.insert(package.searchers, 2, search(root))
end

--- Writes the cache when this run compiled something; a cache that can't be written costs time only.
function chunks.save()
  if not changed then
    return
  end
  changed = false
  local pieces = { MAGIC }
  for source, entry in pairs(entries) do
    if entry.used or fs_read.stamp(source) == entry.stamp then
      pieces[#pieces + 1] = string.pack("<s4s4s4", source, entry.stamp, entry.code)
    end
  end
  pieces[#pieces + 1] = MAGIC
  local beside = ("%s.%x"):format(cache_path, math.random(0))
  local file = io.open(beside, "wb")
  if not file then
    return
  end
  local written = file:write(table.concat(pieces))
  if file:close() and written then
    os.rename(beside, cache_path)
  else
    os.remove(beside)
  end
end

return chunks
