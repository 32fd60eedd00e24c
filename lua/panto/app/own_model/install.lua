-- All that panto's own model server needs, brought once: server, model, chat template.

local build = require("panto.app.own_model.build")
local fetch = require("panto.app.own_model.fetch")
local fs = require("panto.sys.fs")
local machine = require("panto.sys.machine")
local orphans = require("panto.sys.orphans")
local pin_of = require("panto.app.own_model.pin")
local template = require("panto.app.own_model.template")

local install = {}

local SPARE_BYTES = 50e6

--- Returns how much disk the rest takes at most: while it is compiled, and for good.
---@param pin panto.own_model.Pin
---@return integer most
---@return integer for_good
function install.needed_bytes(pin)
  local missing, most, for_good = pin_of.missing(pin), 0, 0
  if missing.server then
    most = pin.server.bytes + pin.server.build_bytes
    for_good = pin.server.bytes // 2
  end
  if missing.model then
    local stat = fs.stat(pin.model_path .. ".part")
    for_good = for_good + pin.model.bytes
    most = most + math.max(0, pin.model.bytes - (stat and stat.size or 0))
  end
  return most, for_good
end

local function check_space(pin)
  local most = install.needed_bytes(pin) + SPARE_BYTES
  local free = machine.free_bytes(pin.folder)
  if free and free < most then
    local text = "%s has %s free, and %s are needed while it is made: free some space."
    return nil, text:format(pin.folder, pin_of.size(free), pin_of.size(most))
  end
  return true
end

local function bring_server(pin, progress)
  if not pin_of.missing(pin).server then
    return true
  end
  local archive, message = fetch.file(pin.server, pin.folder, progress)
  if not archive then
    return nil, message
  end
  return build.run(pin, archive, progress)
end

local function bring_model(pin, progress)
  local path, message = fetch.file(pin.model, pin.folder, progress)
  if path and not fs.exists(pin.template_path) then
    return template.write(path, pin.template_path)
  end
  return path, message
end

--- Brings what is missing, in a task. Whatever ends it, each thing is whole or not there, and the
--- next run goes on.
---@param pin panto.own_model.Pin
---@param progress panto.own_model.Progress
---@return true?
---@return string? message
function install.run(pin, progress)
  if pin_of.is_ready(pin) then
    return true
  end
  orphans.watch()
  local done, message = fs.mkdir(pin.folder)
  local lock
  if done then
    lock = fs.lock(fs.join(pin.folder, ".install.lock"))
    done, message = lock ~= nil, "another panto is bringing it: wait for that one"
  end
  local guard <close> = lock
  if done then
    done, message = check_space(pin)
  end
  if done and pin_of.missing(pin).server then
    done, message = build.check()
  end
  if done then
    done, message = bring_server(pin, progress)
  end
  if done then
    done, message = bring_model(pin, progress)
  end
  return done and (guard == nil or true) or nil, message
end

return install
