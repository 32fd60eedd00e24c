-- `panto tutor`: the real REPL in a scratch folder, with a script in place of a model.

local app = require("panto.app")
local boot = require("panto.app.boot")
local broken_notice = require("panto.app.broken_notice")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local random = require("panto.sys.random")
local trust = require("panto.app.trust")

local tutor = {}

local FILE = '# Says hello.\necho "Helo, ${1:-you}!"\n'
local BEGIN = "Type hello and press Enter to begin the tour: ten minutes, offline. Ctrl+D leaves."

local function make_folder()
  local name = random.bytes(6):gsub(".", function(byte)
    return ("%02x"):format(byte:byte())
  end)
  local dir = fs.join(env.get("TMPDIR") or "/tmp", "panto-tutor-" .. name)
  local made, message = fs.mkdir(dir, 448)
  if made then
    made, message = fs.write(fs.join(dir, "greet.sh"), FILE)
  end
  return made and dir, message
end

local function load_setup(dir)
  local bus
  local setup, message = boot.load({
    cwd = dir,
    model = "tutor:tour",
    providers = {
      tutor = {
        name = "tutor",
        style = "script",
        base_url = fs.join(env.path("lua_root"), "panto/app/tutor/tour.lua"),
        extra_headers = {},
        prompt_cache = false,
      },
    },
    report = function(err)
      broken_notice.tell(bus, err)
    end,
  })
  bus = setup and setup.bus
  return setup, message
end

--- Plays the tour, in a task; returns the exit code.
---@return integer code
---@return string? message why it could not begin
---@return string? dir the scratch folder, which stays
function tutor.run()
  local dir, message = make_folder()
  if not dir then
    return 1, message
  end
  local setup
  setup, message = load_setup(dir)
  if not setup then
    return 2, message
  end
  table.insert(setup.warnings, BEGIN)
  local code = app.run({ setup = setup })
  trust.remove(dir)
  return code, nil, dir
end

return tutor
