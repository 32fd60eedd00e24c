-- Keeps panto's own Lua files compiled between starts: one cache file, an entry a source file, each
-- used only while its source has the time and size that it was compiled from.

local fs_read = require("panto.sys.fs_read")
local host = require("panto.host")

local chunks = {}

local MAGIC = "panto chunks 2 " .. _VERSION .. "\n"

---@class panto.Chunk
---@field stamp string of the source when it was compiled
---@field is_right boolean? the source had the same stamp at the start, which is still going on
---@field code string? nil for one of the cache file until it is used
---@field first integer? where it begins in the cache file
---@field last integer?
---@field used boolean?

local entries = {} ---@type table<string, panto.Chunk>
local cache = "" -- the cache file: the magic words, the length of the list, the list, the codes
local cache_path = nil ---@type string?
local changed = false

local function read_file(path)
  local file = io.open(path, "rb")
  if not file then
    return ""
  end
  local size = file:seek("end") -- asked for in one piece it is not copied while it grows
  file:seek("set")
  local bytes = file:read(size) or ""
  file:close()
  return bytes
end

-- All sources are looked at in one call: one by one it takes as long as loading them.
local function check(names)
  for at, stamp in ipairs(fs_read.stamps(names)) do
    local entry = entries[names[at]]
    entry.is_right = entry.stamp == stamp
  end
end

local function read_cache(path)
  local bytes = read_file(path)
  if bytes:sub(1, #MAGIC) ~= MAGIC or bytes:sub(-#MAGIC) ~= MAGIC then
    return
  end
  local at, names = #MAGIC + 1, {}
  local listed, first
  listed, at = string.unpack("<s4", bytes, at)
  first, cache = at, bytes
  at = 1
  while at <= #listed do
    local source, stamp, length
    source, stamp, length, at = string.unpack("<s4s4I4", listed, at)
    entries[source] = { stamp = stamp, first = first, last = first + length - 1 }
    names[#names + 1], first = source, first + length
  end
  check(names)
end

local function code_of(entry)
  return entry.code or cache:sub(entry.first, entry.last)
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
  local entry = entries[source]
  local stamp = entry and entry.is_right and entry.stamp or cache_path and fs_read.stamp(source)
  if not stamp then
    return loadfile(source, "t")
  end
  if entry and entry.stamp == stamp then
    entry.used, entry.is_right = true, nil -- another load may come after a change
    local chunk = load(code_of(entry), "@" .. source, "b")
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

--- Ends the start, and writes the cache when this run compiled something; a cache that can't be
--- written costs time only.
function chunks.save()
  local kept = {}
  for source, entry in pairs(entries) do
    if changed and (entry.used or entry.is_right or fs_read.stamp(source) == entry.stamp) then
      kept[source] = entry
    end
    entry.is_right = nil
  end
  if not changed then
    return
  end
  changed = false
  local listed, codes = {}, {}
  for source, entry in pairs(kept) do
    local code = code_of(entry)
    listed[#listed + 1] = string.pack("<s4s4I4", source, entry.stamp, #code)
    codes[#codes + 1] = code
  end
  local beside = ("%s.%x"):format(cache_path, math.random(0))
  local file = io.open(beside, "wb")
  if not file then
    return
  end
  local written = file:write(MAGIC, ("<s4"):pack(table.concat(listed)), table.concat(codes), MAGIC)
  if file:close() and written then
    os.rename(beside, cache_path)
  else
    os.remove(beside)
  end
end

return chunks
