-- The machine's own cmake, else the pinned wheel's: where it is.

local from_pip = require("panto.app.own_model.from_pip")
local fs = require("panto.sys.fs")
local process = require("panto.sys.process")
local python = require("panto.app.own_model.python")

local cmake = {}

local NONE = "there is no cmake here, and pip cannot bring one: %s.\nInstall it (Debian: apt "
  .. "install cmake; macOS: brew install cmake)."

local function folder_of(pin)
  return fs.join(pin.folder, (pin.cmake.package:gsub("==", "-")))
end

-- The whole wheel, or none: what was unpacked in part has another name.
local function bring(pin)
  local wheel, folder = fs.join(pin.folder, "cmake.whl"), folder_of(pin)
  local part = { package = pin.cmake.package, sha256 = pin.cmake.sha256, is_wheel = true }
  local done, message = from_pip.one(part, wheel)
  if done then
    done, message = python.remove(folder .. ".new")
  end
  if done then
    done, message = python.unpack_wheel(wheel, folder .. ".new")
  end
  if done then
    done, message = fs.rename(folder .. ".new", folder)
  end
  python.remove(wheel)
  return done, message
end

--- Finds cmake, or brings it, in a task.
---@param pin panto.own_model.Pin
---@param progress panto.own_model.Progress
---@return string? command
---@return string? message
function cmake.find(pin, progress)
  local own = process.run({ file = "cmake", args = { "--version" } })
  if own and own.code == 0 then
    return "cmake"
  elseif not pin.cmake then
    return nil, NONE:format("it is not pinned")
  end
  local command = fs.join(folder_of(pin), pin.cmake.program)
  if not fs.exists(command) then
    progress:say("fetching cmake (pip)")
    local done, message = bring(pin)
    if not done then
      return nil, NONE:format(message)
    end
  end
  return command
end

--- Removes the cmake that was brought, in a task.
---@param pin panto.own_model.Pin
function cmake.remove(pin)
  if pin.cmake then
    python.remove(folder_of(pin))
  end
end

return cmake
