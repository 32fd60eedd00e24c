-- Turns what a command printed and how it ended into the text that the model gets.
local panto = require("panto")
local target = require("std.lib.target")

local json, text = panto.json, panto.text

local report = {}

-- What a terminal shows of a line after its carriage returns: the last thing written.
local function settle(line)
  return line:match("([^\r]+)\r*$") or ""
end

--- Returns output as plain text: valid UTF-8, no escape sequences, progress bars as they ended.
---@param output string any bytes
---@return string
function report.clean(output)
  local valid = text.repair_utf8(output)
  if valid:find("\r", 1, true) then
    valid = valid:gsub("\r\n", "\n"):gsub("[^\n]*\r[^\n]*", settle)
  end
  return text.clean(valid)
end

local function exit_line(outcome)
  if outcome.timed_out then
    local line = "[timed out after %g s: the command and all it had started were ended. "
      .. "Give a longer timeout_s (at most %d) or run it in the background]"
    return line:format(outcome.timeout_s, outcome.max_timeout_s)
  elseif outcome.signal ~= 0 then
    return ("[ended by signal %d]"):format(outcome.signal)
  end
  return ("[exit code %d]"):format(outcome.code)
end

local function shown_line(tail, shown)
  local total = tail:line_count()
  local size = target.size(tail.total)
  if not total then
    return ("[the last %d lines of %s are shown]"):format(shown, size)
  end
  return ("[lines %d-%d of %d are shown; %s in all]"):format(total - shown + 1, total, total, size)
end

local function rest_lines(spill)
  local lines = {}
  if spill.path then
    local call = json.encode({ path = spill.path, offset = 1 })
    lines[1] = ("[the whole output is in a file; the rest: std.read %s]"):format(call)
  end
  if spill.problem then
    lines[#lines + 1] = ("[the output is not all in a file: %s]"):format(spill.problem)
  end
  return lines
end

---@class std.Outcome
---@field code integer
---@field signal integer 0 when it ended by itself
---@field timed_out boolean
---@field timeout_s number
---@field max_timeout_s integer
---@field held boolean something in the background keeps the output open

--- Returns the answer for a command that has ended.
---@param tail table what was kept of the output
---@param spill std.Spill
---@param outcome std.Outcome
---@return string
function report.render(tail, spill, outcome)
  local output, shown = tail:text()
  local lines = { (report.clean(output):gsub("\n+$", "")) }
  if lines[1] == "" then
    lines[1] = tail.total > 0 and "(nothing readable in the output)" or "(no output)"
  end
  lines[2] = ""
  if tail.spilling then
    lines[#lines + 1] = shown_line(tail, shown)
  end
  if outcome.held then
    lines[#lines + 1] = "[a process in the background keeps the output open; it was left running "
      .. "and is no longer read. Send its output to a file]"
  end
  lines[#lines + 1] = exit_line(outcome)
  if tail.spilling then
    for _, line in ipairs(rest_lines(spill)) do
      lines[#lines + 1] = line
    end
  end
  return table.concat(lines, "\n")
end

return report
