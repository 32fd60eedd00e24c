-- Turns layers and paths into the list of extension files, in the order in which they are loaded.

local fs = require("panto.sys.fs")

local discover = {}

---@class panto.Layer
---@field name "base"|"user"|"project"
---@field dir string folder that holds extensions/ and tools/

---@class panto.SourceFile
---@field file string absolute path
---@field name string what an implicit entry of it is called
---@field layer string
---@field rank integer a higher one shadows a lower one
---@field is_rock boolean? it may be a library, which returns no entries

local LAYERS = { builtin = 0, base = 10, user = 20, project = 30 }
local CANONICAL, EXTRA, ROCK = 2, 1, 0

local function add(found, file, name, layer, rank)
  found[#found + 1] = {
    file = file,
    name = name,
    layer = layer,
    rank = LAYERS[layer] + rank,
    is_rock = rank == ROCK,
  }
end

local function is_file(path)
  local stat = fs.stat(path)
  return stat ~= nil and stat.type == "file"
end

local function add_folder(found, folder, layer, rank)
  for _, entry in ipairs(fs.list(folder) or {}) do
    local path = fs.join(folder, entry.name)
    local stem = entry.name:match("^([^.].*)%.lua$")
    if stem and not stem:find("_spec$") and is_file(path) then
      add(found, path, stem, layer, rank)
    elseif entry.name:sub(1, 1) ~= "." and is_file(fs.join(path, "init.lua")) then
      add(found, fs.join(path, "init.lua"), entry.name, layer, rank)
    end
  end
end

local function add_both(found, dir, layer, rank)
  add_folder(found, fs.join(dir, "extensions"), layer, rank)
  add_folder(found, fs.join(dir, "tools"), layer, rank)
end

local function stem_of(path)
  return (fs.basename(path):gsub("%.lua$", ""))
end

-- A path is a file, a folder that counts as one, a folder of both kinds, or a folder of files.
local function add_path(found, errors, given, rank)
  local stat, message = fs.stat(given.path)
  if not stat then
    errors[#errors + 1] = { file = given.path, message = "[extensions] paths: " .. message }
  elseif stat.type == "file" then
    add(found, given.path, stem_of(given.path), given.layer, rank)
  elseif is_file(fs.join(given.path, "init.lua")) then
    local file = fs.join(given.path, "init.lua")
    add(found, file, fs.basename(given.path), given.layer, rank)
  else
    add_both(found, given.path, given.layer, rank)
    add_folder(found, given.path, given.layer, rank)
  end
end

local function add_extra(found, errors, paths, layer, rank)
  for _, given in ipairs(paths or {}) do
    local path = type(given) == "table" and given or { path = given, layer = "user" }
    if path.layer == layer then
      add_path(found, errors, path, rank)
    end
  end
end

---@class panto.DiscoverOptions
---@field builtin string? folder of panto's own extensions
---@field layers panto.Layer[] in any order
---@field paths (string|{ path: string, layer: string })[]? a bare string is of the user layer
---@field rocks (string|{ path: string, layer: string })[]? folders or files of installed rocks

--- Returns every extension file, base layer first, and what could not be looked at.
---@param options panto.DiscoverOptions
---@return panto.SourceFile[]
---@return { file: string, message: string }[] errors
function discover.run(options)
  local found, errors = {}, {}
  if options.builtin then
    add_folder(found, options.builtin, "builtin", CANONICAL)
  end
  for _, layer in ipairs({ "base", "user", "project" }) do
    for _, given in ipairs(options.layers) do
      if given.name == layer then
        add_both(found, given.dir, layer, CANONICAL)
      end
    end
    add_extra(found, errors, options.paths, layer, EXTRA)
    add_extra(found, errors, options.rocks, layer, ROCK)
  end
  return found, errors
end

return discover
