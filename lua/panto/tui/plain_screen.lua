-- The screen of [tui] mode = "plain", for a screen reader: text is only appended, nothing is drawn
-- over; what is typed is echoed, and of a list each row is said when it comes or is selected.
local ansi = require("panto.base.ansi")
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")

local plain_screen = {}

local Screen = {}
Screen.__index = Screen

local SELECTED = "› "

---@class panto.tui.PlainScreen
---@field cols integer
---@field rows integer
---@field typed string the line that stands last and is not ended
---@field said table<string, boolean> the other live rows that were written
---@field is_suspended boolean

--- Makes the screen; it writes nothing before the first `draw`.
---@param options panto.tui.ScreenOptions
---@return panto.tui.PlainScreen
function plain_screen.new(options)
  return setmetatable({
    cols = options.cols,
    rows = options.rows,
    write = options.write,
    waiting = {},
    typed = "",
    said = {},
    is_suspended = false,
  }, Screen)
end

local function bare(line)
  return (ansi.strip(plain.line(line)):gsub("%s+$", ""))
end

--- Takes finished lines; the next `draw` writes them.
---@param lines string[]
function Screen:append(lines)
  table.move(lines, 1, #lines, #self.waiting + 1, self.waiting)
end

-- Finished lines, without the one that was typed and stands there already.
local function finished(self)
  local out = {}
  local echoed = bare(self.typed)
  for _, line in ipairs(self.waiting) do
    line = bare(line)
    if line == echoed and line ~= "" then
      echoed = nil
    elseif line ~= "" or out[#out] ~= "" then
      out[#out + 1] = line
    end
  end
  self.waiting = {}
  return out
end

-- The rows of a list that are new, or selected now; rules are no text.
local function news(self, lines, cursor)
  local out, said = {}, {}
  for index, line in ipairs(lines) do
    line = bare(line)
    local body = line:gsub("^" .. SELECTED, ""):gsub("^  ", "")
    local is_selected = line:sub(1, #SELECTED) == SELECTED
    local key = is_selected and line or body
    if index ~= (cursor and cursor.row) and body:find("[^─↑↓%s]") then
      if not self.said[key] and not (self.said[SELECTED .. body] and not is_selected) then
        out[#out + 1] = line
      end
      said[key], said[body] = true, true
    end
  end
  self.said = said
  return out
end

local function echo(self, line)
  local typed = self.typed
  self.typed = line
  if line == typed then
    return ""
  elseif line:sub(1, #typed) == typed then
    return line:sub(#typed + 1)
  elseif typed:sub(1, #line) == line then
    return ("\b \b"):rep(text.width(typed:sub(#line + 1)))
  end
  return "\r\n" .. line
end

--- Writes what is finished and what has changed since.
---@param lines string[]
---@param cursor panto.tui.Cursor?
---@return boolean wrote
function Screen:draw(lines, cursor)
  if self.is_suspended or self.is_closed then
    return false
  end
  local rows = finished(self)
  local fresh = news(self, lines, cursor)
  table.move(fresh, 1, #fresh, #rows + 1, rows)
  local line = cursor and ansi.strip(plain.line(lines[cursor.row] or "")) or ""
  local out = ""
  if rows[1] then
    out = (self.typed ~= "" and "\r\n" or "") .. table.concat(rows, "\r\n") .. "\r\n"
    self.typed = ""
  end
  out = out .. echo(self, line)
  if out ~= "" then
    self.write(out)
  end
  return out ~= ""
end

--- Takes the new size.
---@param cols integer
---@param rows integer
function Screen:resize(cols, rows)
  self.cols, self.rows = cols, rows
end

--- Does nothing: what was written stays.
function Screen:invalidate() end

local function end_line(self)
  if self.typed ~= "" then
    self.write("\r\n")
    self.typed = ""
  end
end

--- Ends the line for another program.
function Screen:suspend()
  end_line(self)
  self.is_suspended = true
end

--- Goes on after another program.
function Screen:resume()
  self.is_suspended = false
end

--- Ends the line for good.
function Screen:close()
  end_line(self)
  self.is_closed = true
end

return plain_screen
