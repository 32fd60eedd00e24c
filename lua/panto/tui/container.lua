-- Turns a list of components into one list of lines, and keeps one bad component from the others.
local container = {}

local Container = {}
Container.__index = Container

---@class panto.tui.Component
---@field render fun(self, width: integer): string[], panto.tui.Cursor?

---@class panto.tui.Container
---@field children panto.tui.Component[]

--- Makes a container of components, drawn from top to bottom.
---@param children panto.tui.Component[]?
---@return panto.tui.Container
function container.new(children)
  return setmetatable({ children = children or {} }, Container)
end

--- Adds a component at the end, or before the given place.
---@param child panto.tui.Component
---@param index integer?
function Container:add(child, index)
  table.insert(self.children, index or #self.children + 1, child)
end

--- Takes a component out; false if it is not there.
---@param child panto.tui.Component
---@return boolean removed
function Container:remove(child)
  for index, other in ipairs(self.children) do
    if other == child then
      table.remove(self.children, index)
      return true
    end
  end
  return false
end

--- Puts a component in the place of another; false if that is not there.
---@param child panto.tui.Component
---@param replacement panto.tui.Component
---@return boolean replaced
function Container:set(child, replacement)
  for index, other in ipairs(self.children) do
    if other == child then
      self.children[index] = replacement
      return true
    end
  end
  return false
end

-- Lines of a component; one that fails or gives no list of strings is shown as one error line.
local function render_child(child, width)
  local ok, lines, cursor = pcall(child.render, child, width)
  if ok and type(lines) ~= "table" then
    ok, lines = false, "render returned " .. type(lines) .. ", not a list of lines"
  end
  if not ok then
    return { "[component error: " .. tostring(lines):gsub("\n.*", "") .. "]" }, nil
  end
  for index = 1, #lines do
    if type(lines[index]) ~= "string" then
      local message = "line " .. index .. " is a " .. type(lines[index])
      return { "[component error: " .. message .. "]" }, nil
    end
  end
  return lines, cursor
end

--- Renders one component safely: an error becomes the line `[component error: …]`.
---@param child panto.tui.Component
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor
function container.render(child, width)
  return render_child(child, width)
end

--- Renders all components below each other; the cursor is the last one that any of them gave.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor
function Container:render(width)
  local all, caret = {}, nil
  for _, child in ipairs(self.children) do
    local lines, cursor = render_child(child, width)
    if cursor then
      caret = { row = #all + cursor.row, col = cursor.col }
    end
    table.move(lines, 1, #lines, #all + 1, all)
  end
  return all, caret
end

return container
