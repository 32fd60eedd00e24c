-- `panto doctor`: looks at everything panto stands on and says what mends it.

local boot = require("panto.app.boot")
local env = require("panto.sys.env")
local extensions = require("panto.cli.doctor.extensions")
local fs = require("panto.sys.fs")
local logins = require("panto.cli.doctor.logins")
local report = require("panto.cli.doctor.report")
local rocks = require("panto.cli.doctor.rocks")
local runtime = require("panto.cli.doctor.runtime")
local style = require("panto.tui.style")
local task = require("panto.sys.task")
local terminal = require("panto.cli.doctor.terminal")
local usage = require("panto.cli.usage")

local doctor = {}

local STYLES = { ok = "ok", warn = "warning", error = "error" }

local function painter()
  if not env.is_terminal(1) then
    return nil
  end
  local theme = style.new({ depth = style.depth(env.get) })
  return function(level, text)
    return theme:paint(STYLES[level], text)
  end
end

local function examine(found, cwd)
  local config, message = boot.read_config(cwd)
  runtime.check(found)
  rocks.check(found, config)
  if config then
    for _, warning in ipairs(config.warnings) do
      found:add("warn", "configuration", warning)
    end
    if #config.warnings == 0 then
      found:add("ok", "configuration", "no complaints")
    end
    logins.check(found, config)
  else
    found:add("error", "configuration", message)
  end
  terminal.check(found)
  if config then
    extensions.check(found, cwd)
  end
end

--- Runs the checks; an error among the findings is exit code 1.
---@param words string[]
---@return integer exit_code
function doctor.run(words)
  if words[1] then
    return usage.refuse(("doctor takes no words, found %q"):format(words[1]), "panto doctor")
  end
  local found = report.new()
  task.loop(examine, found, fs.cwd())
  io.stdout:write(found:render(painter()))
  local errors, warnings = found:count("error"), found:count("warn")
  io.stdout:write(("%d errors, %d warnings\n"):format(errors, warnings))
  return errors > 0 and 1 or 0
end

return doctor
