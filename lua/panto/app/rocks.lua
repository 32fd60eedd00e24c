-- The rocks that [extensions] rocks asks for against those that the tree has: what is missing or
-- of another version, and which file of a rock may hold extensions.

local env = require("panto.sys.env")
local fs = require("panto.sys.fs")

local rocks = {}

---@class panto.WantedRock
---@field name string
---@field version string? nil: any will do
---@field state "installed"|"missing"|"differs"
---@field found string[] installed versions

local BATTERY = "luv"
local FORM = '%q is not a rock: write "NAME" or "NAME VERSION"'

local function parse(text)
  local name, version = text:match("^%s*(%w[%w._/-]*)%s*(%S*)%s*$")
  if not name or version:find("[^%w._-]") or select(2, name:gsub("/", "")) > 1 then
    return nil, FORM:format(text)
  elseif name:lower() == BATTERY and version ~= "" then
    local text_of = "%q: %s is the rock that panto itself runs on, at the version it brings"
    return nil, text_of:format(text, BATTERY)
  end
  return { name = name:lower(), version = version ~= "" and version or nil }
end

local function manifest_path()
  return fs.join(env.path("rocks_tree"), "lib/luarocks/rocks-5.4/manifest")
end

--- Reads what luarocks has noted of the tree: its table `repository`, empty when there is none.
---@return table<string, table<string, table[]>>
function rocks.read()
  local values = {}
  local chunk = load(fs.read(manifest_path()) or "", "=manifest", "t", values)
  if chunk then
    chunk()
  end
  return values.repository or {}
end

-- A wanted version may leave the revision open.
local function fits(wanted, version)
  return wanted == nil or version == wanted or version:sub(1, #wanted + 1) == wanted .. "-"
end

local function look_up(rock, repository)
  rock.state, rock.found = "missing", {}
  for version in pairs(repository[rock.name:match("[^/]*$")] or {}) do
    rock.found[#rock.found + 1] = version
    rock.state = fits(rock.version, version) and "installed"
      or rock.state == "missing" and "differs"
      or rock.state
  end
  table.sort(rock.found)
  return rock
end

--- Compares the list of the configuration with the tree.
---@param list string[] [extensions] rocks
---@return panto.WantedRock[]
---@return string[] problems entries that name no rock
function rocks.compare(list)
  local repository = rocks.read()
  local wanted, problems = {}, {}
  for _, text in ipairs(list) do
    local rock, message = parse(text)
    if rock then
      wanted[#wanted + 1] = look_up(rock, repository)
    else
      problems[#problems + 1] = message
    end
  end
  return wanted, problems
end

-- The module named as the rock is, or the only one that it has.
local function main_module(name, modules)
  local plain = name:gsub("^lua%-", ""):gsub("%-lua$", "")
  local names = { name, (name:gsub("-", "_")), (name:gsub("-", ".")), plain, plain .. ".init" }
  for _, candidate in ipairs(names) do
    if modules[candidate] then
      return candidate
    end
  end
  local only = next(modules)
  return only and next(modules, only) == nil and only or nil
end

local function file_of(rock, repository)
  local name = rock.name:match("[^/]*$")
  local version = rock.found[#rock.found]
  for _, item in ipairs(version and repository[name][version] or {}) do
    local module = main_module(name, item.modules or {})
    local file = module and package.searchpath(module, package.path)
    if file then
      return file
    end
  end
  return nil
end

--- Finds the main files of the listed rocks that are installed and written in Lua.
---@param list string[] [extensions] rocks
---@return { path: string, layer: string }[] sources
---@return string[] warnings about what is not installed, or no rock at all
function rocks.sources(list)
  local sources = {}
  if #list == 0 then
    return sources, {}
  end
  local repository = rocks.read()
  local wanted, warnings = rocks.compare(list)
  for _, rock in ipairs(wanted) do
    if rock.state ~= "installed" then
      local text = "[extensions] rocks: %s is not installed; run: panto update"
      warnings[#warnings + 1] =
        text:format(rock.version and rock.name .. " " .. rock.version or rock.name)
    end
    local file = file_of(rock, repository)
    if file then
      sources[#sources + 1] = { path = file, layer = "user" }
    end
  end
  return sources, warnings
end

return rocks
