-- What the checks of `panto doctor` find, a line each: ok, warn or error, and what mends it.

---@class panto.cli.Report
---@field lines { level: "ok"|"warn"|"error", subject: string, text: string, mend: string? }[]
local Report = {}
Report.__index = Report

local report = {}

--- Makes an empty report.
---@return panto.cli.Report
function report.new()
  return setmetatable({ lines = {} }, Report)
end

local function one_line(text)
  return (text:gsub("%s*\n%s*", "; "))
end

--- Adds a finding; a missing level is ok.
---@param level "ok"|"warn"|"error"|nil
---@param subject string what was looked at
---@param text string
---@param mend string? what to do
function Report:add(level, subject, text, mend)
  self.lines[#self.lines + 1] = {
    level = level or "ok",
    subject = subject,
    text = one_line(text),
    mend = mend and one_line(mend),
  }
end

--- Counts the lines of a level.
---@param level "ok"|"warn"|"error"
---@return integer
function Report:count(level)
  local count = 0
  for _, line in ipairs(self.lines) do
    count = count + (line.level == level and 1 or 0)
  end
  return count
end

--- Renders all lines.
---@param paint (fun(level: string, text: string): string)? colours the level
---@return string
function Report:render(paint)
  local parts = {}
  for _, line in ipairs(self.lines) do
    local level = ("%-5s"):format(line.level)
    local mend = line.mend and " -> " .. line.mend or ""
    level = paint and paint(line.level, level) or level
    parts[#parts + 1] = ("%s %s: %s%s\n"):format(level, line.subject, line.text, mend)
  end
  return table.concat(parts)
end

return report
