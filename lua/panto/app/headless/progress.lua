-- Events into the lines on standard error that tell a person what `panto run` is doing.

local ansi = require("panto.base.ansi")
local text = require("panto.sys.text")

---@class panto.headless.Progress
---@field is_brief boolean only what went wrong
local Progress = {}
Progress.__index = Progress

local progress = {}

local LINE_COLUMNS = 100

--- Makes the teller; a brief one tells only what went wrong.
---@param is_brief boolean
---@return panto.headless.Progress
function progress.new(is_brief)
  return setmetatable({ is_brief = is_brief }, Progress)
end

--- Writes a message of panto's own.
---@param message string
function Progress:say(message)
  io.stderr:write("panto: ", (ansi.clean(message):gsub("%s+$", "")), "\n")
end

local function one_line(value)
  local line = ansi.reveal((tostring(value):gsub("%s+", " ")))
  return (text.cut(line, LINE_COLUMNS))
end

-- The most telling argument of a call: a command, a path, else the first text.
local function argument(input)
  if type(input) ~= "table" then
    return ""
  end
  local found = input.command or input.path
  for _, value in pairs(input) do
    found = found or type(value) == "string" and value
  end
  return found and " " .. one_line(found) or ""
end

local show = {}

function show.tool_call_complete(_, payload)
  local denied = payload.denied and " (denied)" or ""
  io.stderr:write("· ", tostring(payload.tool_name), argument(payload.input), denied, "\n")
end

function show.tool_result(_, payload)
  if payload.is_error then
    io.stderr:write("  failed: ", one_line(payload.output), "\n")
  end
end

local tell = {}

function tell.retry(self, payload)
  local wait_s = (payload.wait_ms or 0) / 1000
  local words = "%s; trying again in %.0f s (attempt %d of %d)"
  self:say(
    words:format(payload.message, wait_s, (payload.attempt or 0) + 1, payload.max_attempts or 0)
  )
end

function tell.error(self, payload)
  self:say(tostring(payload.message))
end

function tell.notice(self, payload)
  if not self.is_brief or payload.level ~= "info" then
    self:say(tostring(payload.text))
  end
end

--- Tells of an event, if it is one worth telling.
---@param name string
---@param payload table
function Progress:take(name, payload)
  local line = tell[name] or not self.is_brief and show[name]
  if line then
    line(self, payload)
  end
end

return progress
