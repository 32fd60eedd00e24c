-- A component of an extension as one of panto's own: watched, cut to the width, an error is a line.

local ansi = require("panto.base.ansi")
local text = require("panto.sys.text")
local watchdog = require("panto.sys.watchdog")

---@class panto.LuaView
---@field component table the extension's table
---@field default table? what is drawn in its place once it has been interrupted
local LuaView = {}
LuaView.__index = LuaView

local lua_view = { class = LuaView }

local function trace(err)
  return { message = tostring(err), traceback = debug.traceback("", 2) }
end

--- Wraps a component; `report` is told of its first error.
---@param component table
---@param default table?
---@param report fun(err: { message: string, traceback: string })
---@return panto.LuaView
function lua_view.new(component, default, report)
  return setmetatable({ component = component, default = default, report = report }, LuaView)
end

local function fail(self, err)
  if not self.broken then
    self.broken = true
    self.report(err)
  end
  if err.message:find("did not come back", 1, true) then
    self.component = self.default or {
      render = function()
        return {}
      end,
    }
    return self.component:render(self.width)
  end
  local line = "[lua component error: " .. ansi.clean(err.message):gsub("\n.*", "") .. "]"
  return { (text.cut(line, self.width)) }
end

local function check(lines)
  if type(lines) ~= "table" then
    error(("render returned a %s, not a list of strings"):format(type(lines)), 0)
  end
  for i, line in ipairs(lines) do
    if type(line) ~= "string" then
      error(("line %d of render is a %s, not a string"):format(i, type(line)), 0)
    end
  end
end

local function draw(component, width)
  local lines, cursor = component:render(width)
  check(lines)
  return lines, cursor
end

--- Renders the component; each line is cut to the width.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor
function LuaView:render(width)
  self.width = width
  local ok, lines, cursor = watchdog.call(draw, trace, self.component, width)
  if not ok then
    return fail(self, lines)
  end
  local cut = {}
  for i, line in ipairs(lines) do
    cut[i] = text.cut(line, width)
  end
  return cut, cursor
end

--- Hands a key to the component's handleInput; true when it has one.
---@param data string
---@return boolean taken
function LuaView:handle_input(data)
  if type(self.component.handleInput) ~= "function" then
    return false
  end
  local ok, err = watchdog.call(self.component.handleInput, trace, self.component, data)
  if not ok then
    fail(self, err)
  end
  return true
end

return lua_view
