-- Checks the terminal: is it one, its size, its name, its colours and its letters.

local env = require("panto.sys.env")
local style = require("panto.tui.style")
local term = require("panto.sys.term")

local terminal = {}

local SMALLEST_COLS, SMALLEST_ROWS = 40, 10

local function check_letters(report)
  local locale = env.get("LC_ALL")
  locale = locale and locale ~= "" and locale or env.get("LC_CTYPE")
  locale = locale and locale ~= "" and locale or env.get("LANG") or ""
  if locale:upper():find("UTF%-?8") then
    report:add("ok", "locale", locale)
  else
    local text = locale == "" and "none is set" or locale .. " is not UTF-8"
    report:add("warn", "locale", text, "export LANG=C.UTF-8")
  end
end

--- Checks the terminal that panto was started in.
---@param report panto.cli.Report
function terminal.check(report)
  local name = env.get("TERM") or ""
  check_letters(report)
  if not (env.is_terminal(0) and env.is_terminal(1)) then
    local mend = "start panto in a terminal; panto run needs none"
    report:add("warn", "terminal", "input or output is none", mend)
    return
  end
  local cols, rows = term.size()
  local text = ("%d x %d, TERM=%s, colours: %s"):format(cols, rows, name, style.depth(env.get))
  if name == "" or name == "dumb" then
    report:add("warn", "terminal", text, "export TERM=xterm-256color, or what the terminal is")
  elseif cols < SMALLEST_COLS or rows < SMALLEST_ROWS then
    report:add("warn", "terminal", text, ("at least %d x %d"):format(SMALLEST_COLS, SMALLEST_ROWS))
  else
    report:add("ok", "terminal", text)
  end
end

return terminal
