-- What a start has compiled and parsed, kept in files for the next one.

local chunks = require("panto.sys.chunks")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local toml = require("panto.sys.toml")

local start_cache = {}

--- Writes what this start has compiled and parsed anew; without a folder for it nothing is kept.
function start_cache.save()
  if fs.mkdir(env.path("cache")) then
    chunks.save()
    toml.save_cache()
  end
end

return start_cache
