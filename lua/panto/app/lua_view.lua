-- A component of an extension as one of panto's own: watched, cut to the width, an error is a line.

local ansi = require("panto.base.ansi")
local guard = require("panto.sys.guard")
local key_event = require("panto.tui.key_event")
local task = require("panto.sys.task")
local text = require("panto.sys.text")
local traceback = require("panto.base.traceback")
local watchdog = require("panto.sys.watchdog")

---@class panto.LuaView
---@field component table the extension's table
---@field default table? what is drawn in its place once it has been interrupted
---@field owner panto.Owner?
---@field report fun(err: panto.ViewError)
local LuaView = {}
LuaView.__index = LuaView

local lua_view = { class = LuaView }

---@class panto.ViewError
---@field owner panto.Owner? whose component it is
---@field message string
---@field traceback string

---@class panto.LuaViewOptions
---@field component table
---@field default table?
---@field owner panto.Owner?
---@field report fun(err: panto.ViewError) is told of its first error
---@field changed fun() marks the frame

local NO_WAIT = "%s cannot wait: the screen stands still until it is back"

local function trace(err)
  return { message = guard.show(err), traceback = traceback.cut(debug.traceback("", 2)) }
end

--- Wraps a component; one without `invalidate` gets it, to say that it has changed.
---@param options panto.LuaViewOptions
---@return panto.LuaView
function lua_view.new(options)
  local component = options.component
  if component.invalidate == nil then
    rawset(component, "invalidate", options.changed)
  end
  return setmetatable({
    component = component,
    default = options.default,
    owner = options.owner,
    report = options.report,
  }, LuaView)
end

local BLANK = {
  render = function()
    return {}
  end,
}

local function note(self, err)
  local account = self.owner and self.owner.account
  if account then
    account.errors = account.errors + 1
  end
  local is_endless = err.message:find("did not come back", 1, true) ~= nil
  if not self.broken or is_endless then
    self.broken = true
    err.owner = self.owner
    self.report(err)
  end
  if is_endless then
    self.component = self.default or BLANK
    return true
  end
end

local function call(self, name, ...)
  local former = task.forbid_wait(NO_WAIT:format(name))
  local ok, result, more = watchdog.call(self.component[name], trace, self.component, ...)
  task.forbid_wait(former)
  return ok, result, more
end

local function check(lines)
  if type(lines) ~= "table" then
    return ("render returned a %s, not a list of strings"):format(type(lines))
  end
  for i, line in ipairs(lines) do
    if type(line) ~= "string" then
      return ("line %d of render is a %s, not a string"):format(i, type(line))
    end
  end
end

local function fail(self, err, width)
  if note(self, err) then
    return self.component:render(width)
  end
  local line = "[lua component error: " .. ansi.clean(err.message):gsub("\n.*", "") .. "]"
  return { (text.cut(line, width)) }
end

--- Renders the component; each line is cut to the width.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor
function LuaView:render(width)
  local ok, lines, cursor = call(self, "render", width)
  if not ok then
    return fail(self, lines, width)
  end
  local problem = check(lines)
  if problem then
    return fail(self, { message = problem, traceback = "" }, width)
  end
  local cut = {}
  for i, line in ipairs(lines) do
    cut[i] = text.cut(line, width)
  end
  return cut, cursor
end

--- Tells whether the component takes keys.
---@return boolean
function LuaView:takes_keys()
  return type(self.component.handleInput) == "function"
end

--- Returns what a component's handleInput gets for a key: what it types, else its name.
---@param event table
---@return string
function lua_view.key_data(event)
  return event.text or key_event.name(event)
end

--- Hands a key or a paste to the component's handleInput; returns what that returns.
---@param event table
---@return any result
function LuaView:handle_input(event)
  local ok, result = call(self, "handleInput", lua_view.key_data(event), event)
  if ok then
    return result
  end
  note(self, result)
end

return lua_view
