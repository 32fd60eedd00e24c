-- Resolves the credential `dev` of a configuration, once for each line on stdin; prints it as JSON.
-- usage: panto lua resolve.lua ROOT (in a home whose user layer has [auth.dev])

package.path = arg[1] .. "/lua/?.lua;" .. arg[1] .. "/lua/?/init.lua;" .. package.path

local boot = require("panto.app.boot")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local resolve = require("panto.auth.resolve")
local task = require("panto.sys.task")

local config = assert(boot.read_config(fs.cwd()))
io.stdout:setvbuf("line")
io.write("ready\n")
for _ in io.lines() do
  local credential, message = task.loop(resolve.credential, config, "dev")
  io.write(json.encode(credential or { message = message }), "\n")
end
