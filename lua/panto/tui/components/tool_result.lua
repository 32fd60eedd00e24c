-- Turns a tool's result into what is shown of it: lines, a note for the title, a diff.
local plain = require("panto.tui.plain")

local tool_result = {}

---@class panto.tui.ToolResult
---@field output string
---@field is_error boolean?
---@field details table? what the tool tells the screen only
---@field diff string? a unified diff to show instead of the output
---@field images { media_type: string, data: string }[]? data is base64

---@class panto.tui.ShownResult
---@field lines string[]
---@field note string? for the title
---@field is_diff boolean?
---@field from_end boolean? folded, its last lines are shown

local function split(s, clean)
  local lines = {}
  for line in ((clean or plain.clean)(s) .. "\n"):gmatch("([^\n]*)\n") do
    lines[#lines + 1] = line
  end
  while #lines > 0 and not lines[#lines]:find("%S") do
    lines[#lines] = nil
  end
  return lines
end

local function split_diff(diff)
  local lines = split(diff, plain.reveal)
  if lines[1] and lines[1]:find("^%-%-%- ") then
    table.remove(lines, 1)
    table.remove(lines, 1)
  end
  return { lines = lines, is_diff = true }
end

local read = {}

read["std.shell"] = function(result)
  local lines, note = split(result.output), nil
  local last = lines[#lines] or ""
  local code = last:match("^%[exit code (%-?%d+)%]$")
  local signal = last:match("^%[ended by signal (%d+)%]$")
  if code or signal then
    lines[#lines] = nil
    while #lines > 0 and not lines[#lines]:find("%S") do
      lines[#lines] = nil
    end
    note = signal and "signal " .. signal or code ~= "0" and "exit " .. code or nil
  elseif result.output:find("\n%[timed out after ") then
    note = "timed out"
  end
  return { lines = lines, note = note, from_end = true }
end

read["std.write"] = function(result, input)
  local content = type(input) == "table" and input.content
  if result.is_error or type(content) ~= "string" then
    return { lines = split(result.output) }
  end
  local what, count = result.output:match("^(%a+) .* %((%d+ lines?)%)$")
  local note = what and what .. ", " .. count
  return { lines = split(content, plain.reveal), note = note }
end

-- The line of an image says more than the tool does.
read["std.read"] = function(result)
  return { lines = result.images and {} or split(result.output) }
end

--- Reads a result for the screen; the model's text stays what it is.
---@param name string the tool's name
---@param input table|string|nil
---@param result panto.tui.ToolResult
---@return panto.tui.ShownResult
function tool_result.read(name, input, result)
  local diff = result.diff or not result.is_error and (result.details or {}).diff
  if type(diff) == "string" then
    return split_diff(diff)
  elseif read[name] then
    return read[name](result, input)
  end
  return { lines = split(result.output) }
end

--- Splits text into clean lines, without the blank ones at its end.
---@param s string
---@return string[]
function tool_result.split(s)
  return split(s)
end

return tool_result
