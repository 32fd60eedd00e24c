-- Which component of an extension has the keys instead of the editor, while it is on the screen.

local key_event = require("panto.tui.key_event")

---@class panto.Focus
---@field component table? who has the keys
---@field views fun(): panto.LuaView[] what is on the screen now
---@field changed fun()
local Focus = {}
Focus.__index = Focus

local focus = {}

local CYCLE, LEAVE = "f6", "escape"

--- Makes the focus; nobody has it.
---@param views fun(): panto.LuaView[]
---@param changed fun()
---@return panto.Focus
function focus.new(views, changed)
  return setmetatable({ views = views, changed = changed }, Focus)
end

--- Gives the keys to a component, or back to the editor.
---@param component table?
function Focus:set(component)
  if component ~= nil then
    local takes = type(component) == "table" and type(component.handleInput) == "function"
    if not takes then
      error("focus wants a component with a handleInput function", 3)
    end
  end
  self.component = component
  self.changed()
end

--- Tells whether a component has the keys.
---@param component table
---@return boolean
function Focus:is_on(component)
  return self.component ~= nil and self.component == component
end

local function list(self)
  local found, at = {}, 0
  for _, view in ipairs(self.views()) do
    if view:takes_keys() then
      found[#found + 1] = view
      at = view.component == self.component and #found or at
    end
  end
  return found, at
end

--- Gives the keys to the next component that takes them, after the last one to the editor.
function Focus:cycle()
  local found, at = list(self)
  local view = found[at + 1]
  self:set(view and view.component)
end

--- Takes a key that is not the editor's; false when it is.
---@param event table
---@return boolean taken
function Focus:handle(event)
  local name = event.type == "key" and key_event.name(event)
  if name == CYCLE then
    self:cycle()
    return true
  elseif not self.component then
    return false
  elseif name == "ctrl+c" then
    return false
  end
  local found, at = list(self)
  if at == 0 or name == LEAVE then
    self:set(nil)
    return at > 0
  end
  found[at]:handle_input(event)
  self.changed()
  return true
end

return focus
