-- What a spec gets from require("panto.testing"): panto itself, opened on an extension.

local fs = require("panto.sys.fs")
local play = require("panto.testing.play")

local testing = {}

---@class panto.TestOptions
---@field extension string? the file or folder under test; beside x_spec.lua it is x.lua or x/
---@field extensions string[]? several of them
---@field script table|function|nil what the model answers: a list of steps, or function(request, n)
---@field files table<string, string>? contents by path in the working folder
---@field config string? TOML, as in the user's config.toml
---@field cols integer? of the screen, 80 when left out
---@field rows integer? 24 when left out
---@field clock "fake"|"real"|nil "fake" when left out: t:advance(ms) lets the time go on
---@field allow_failures boolean? an extension that cannot be loaded is no error

-- The extension that a spec stands beside: x.lua or x/ of x_spec.lua, init.lua of its folder.
local function neighbour(spec_file)
  local stem = spec_file and spec_file:match("^(.*)_spec%.lua$")
  for _, path in ipairs(stem and { stem .. ".lua", stem } or {}) do
    if fs.exists(path) then
      return path
    end
  end
  local init = spec_file and fs.join(fs.dirname(spec_file), "init.lua")
  return init and fs.exists(init) and fs.dirname(spec_file) or nil
end

local function paths(options, spec_file)
  local given = options.extensions or { options.extension or neighbour(spec_file) }
  local base = spec_file and fs.dirname(spec_file) or fs.cwd()
  local list = {}
  for i, path in ipairs(given) do
    list[i] = fs.expand(path, base)
    if not fs.exists(list[i]) then
      error(("there is no extension %s"):format(list[i]), 4)
    end
  end
  return list
end

local function open(options, spec_file)
  options = options or {}
  if type(options) ~= "table" then
    error(("new wants a table of options, not a %s"):format(type(options)), 3)
  end
  local copy = {}
  for key, value in pairs(options) do
    copy[key] = value
  end
  copy.extensions = paths(options, spec_file)
  return play.new(copy)
end

--- Opens panto on extensions, with a scripted model, a clock that stands still and a screen of lines.
--- Call it in a task: every `it` is one.
---@param options panto.TestOptions?
---@return panto.Play t
function testing.new(options)
  return open(options, nil)
end

--- Makes the module for one spec file: paths are relative to it, what it opens is handed to `keep`.
---@param spec_file string absolute
---@param keep fun(t: panto.Play)
---@return { new: fun(options: panto.TestOptions?): panto.Play }
function testing.bind(spec_file, keep)
  local bound = {}

  --- Opens panto on the extension beside the spec file.
  ---@param options panto.TestOptions?
  ---@return panto.Play
  function bound.new(options)
    local made = open(options, spec_file)
    keep(made)
    return made
  end

  return bound
end

return testing
