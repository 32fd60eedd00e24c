-- Checks what luarocks needs, and the configured rocks.

local env = require("panto.sys.env")
local process = require("panto.sys.process")
local rocks = require("panto.app.rocks")

local rocks_check = {}

local function answers(command)
  local done = process.run({ file = "/bin/sh", args = { "-c", command } })
  return done ~= nil and done.code == 0, done and done.stdout:match("[^\n]*") or ""
end

local function check_compiler(report)
  local wanted = env.get("CC")
  for _, command in ipairs(wanted and wanted ~= "" and { wanted } or { "gcc", "cc", "clang" }) do
    local works, line = answers(command .. " --version 2>/dev/null")
    if works then
      report:add("ok", "compiler", ("%s (%s)"):format(command, line))
      return
    end
  end
  local mend = "install one (Debian: apt install gcc libc6-dev; macOS: xcode-select --install)"
  report:add("warn", "compiler", "no C compiler: rocks with C code cannot be built", mend)
end

local function check_tools(report)
  if not answers("command -v tar") then
    report:add("warn", "luarocks", "no tar: luarocks cannot unpack", "install tar")
  else
    report:add("ok", "luarocks", "its tools are there")
  end
end

--- Checks compiler, tools and the list of the configuration.
---@param report panto.cli.Report
---@param config panto.Config?
function rocks_check.check(report, config)
  check_compiler(report)
  check_tools(report)
  local wanted, problems = rocks.compare(config and config.extensions.rocks or {})
  for _, problem in ipairs(problems) do
    report:add("error", "rock", problem, "correct [extensions] rocks")
  end
  for _, rock in ipairs(wanted) do
    local subject, found = "rock " .. rock.name, table.concat(rock.found, ", ")
    if rock.state == "installed" then
      report:add("ok", subject, found)
    elseif rock.state == "missing" then
      report:add("warn", subject, "is not installed", "panto update")
    else
      local text = ("%s is installed, %s is asked for"):format(found, rock.version)
      report:add("warn", subject, text, "panto update")
    end
  end
end

return rocks_check
