-- What require("panto") returns: the public surface for extensions and scripts, over sys/ and base/.

local ansi = require("panto.base.ansi")
local base64 = require("panto.base.base64")
local clock = require("panto.sys.clock")
local diff = require("panto.base.diff")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local http = require("panto.sys.http")
local json = require("panto.base.json")
local nearest = require("panto.base.nearest")
local process = require("panto.sys.process")
local screenless = require("panto.sys.screenless")
local task = require("panto.sys.task")
local text = require("panto.sys.text")
local toml = require("panto.sys.toml")
local utf8x = require("panto.base.utf8x")

-- An extension's tasks are its own; what only panto needs of the room is left out.
local tasks = {}
for name, value in pairs(task) do
  tasks[name] = value
end
tasks.run = task.run_owned
tasks.run_owned, tasks.forbid_wait = nil, nil

return {
  task = tasks,
  fs = fs,
  process = process,
  http = http,
  json = json,
  toml = toml,
  env = { get = env.get, version = env.version },
  clock = clock,
  text = {
    clean = ansi.clean,
    width = text.width,
    cut = text.cut,
    repair_utf8 = utf8x.repair,
    is_utf8 = utf8x.is_valid,
    incomplete_tail = utf8x.incomplete_tail,
    unified_diff = diff.unified,
    diff_nearest = diff.nearest,
    nearest = nearest.find,
    base64 = base64,
  },
  config = { shell = { timeout_s = 120 } },
  ext = {},
  ui = screenless,
}
