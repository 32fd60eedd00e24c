-- Holds the tools and commands that extensions have registered, each with its owner.

local registry = {}

---@class panto.Owner
---@field entry string name of the extension entry
---@field source string its file

---@class panto.Command
---@field name string without the slash
---@field description string
---@field handler fun(args: string): any
---@field complete (fun(prefix: string): string[])?
---@field entry string?
---@field source string?

---@class panto.Registry
---@field tool_list panto.Tool[] in the order of registration
---@field command_list panto.Command[]
---@field collision string? the first clash of two tool names
local Registry = {}
Registry.__index = Registry

--- Returns an empty registry.
---@return panto.Registry
function registry.new()
  return setmetatable({ tool_list = {}, command_list = {} }, Registry)
end

local function wire_name(name)
  return (name:gsub("[^A-Za-z0-9_-]", "_"))
end

local function copy_of(given, owner)
  local copy = {}
  for key, value in pairs(given) do
    copy[key] = value
  end
  copy.entry, copy.source, copy.owner = owner.entry, owner.source, owner
  return copy
end

local function check_tool(tool)
  if type(tool) ~= "table" or type(tool.name) ~= "string" or tool.name == "" then
    return "a tool needs a name"
  elseif type(tool.handler) ~= "function" then
    return ("tool %s needs a handler, a function"):format(tool.name)
  elseif tool.schema ~= nil and type(tool.schema) ~= "table" then
    return ("tool %s: schema is a %s, not a table"):format(tool.name, type(tool.schema))
  elseif tool.description ~= nil and type(tool.description) ~= "string" then
    return ("tool %s: description is not a string"):format(tool.name)
  end
end

--- Adds a tool; nil and a message when it is malformed or its wire name is taken.
---@param tool panto.Tool
---@param owner panto.Owner
---@return panto.Tool?
---@return string? message
function Registry:add_tool(tool, owner)
  local problem = check_tool(tool)
  if problem then
    return nil, problem
  end
  local wire = wire_name(tool.name)
  for _, other in ipairs(self.tool_list) do
    if other.wire_name == wire then
      local text = "two tools come out as %q on the wire: %s (%s) and %s (%s); rename or deny one"
      problem = text:format(wire, other.name, other.source, tool.name, owner.source)
      self.collision = self.collision or problem
      return nil, problem
    end
  end
  local added = copy_of(tool, owner)
  added.wire_name = wire
  added.description = added.description or ""
  added.schema = added.schema or { type = "object" }
  self.tool_list[#self.tool_list + 1] = added
  return added
end

local function check_command(command)
  if type(command) ~= "table" or type(command.name) ~= "string" then
    return "a command needs a name"
  elseif not command.name:find("^[^%s/]+$") then
    return ("command %q: a name is one word, without the slash"):format(command.name)
  elseif type(command.handler) ~= "function" then
    return ("command /%s needs a handler, a function"):format(command.name)
  end
end

--- Adds a slash command; nil and a message when it is malformed or its name is taken.
---@param command panto.Command
---@param owner panto.Owner
---@return panto.Command?
---@return string? message
function Registry:add_command(command, owner)
  local problem = check_command(command)
  if problem then
    return nil, problem
  end
  local other = self:get_command(command.name)
  if other then
    local text = "command /%s is registered twice: by %s (%s) and by %s (%s)"
    return nil, text:format(command.name, other.entry, other.source, owner.entry, owner.source)
  end
  local added = copy_of(command, owner)
  self.command_list[#self.command_list + 1] = added
  return added
end

--- Returns the command of a name.
---@param name string without the slash
---@return panto.Command?
function Registry:get_command(name)
  for _, command in ipairs(self.command_list) do
    if command.name == name then
      return command
    end
  end
end

--- Returns all commands by name.
---@return panto.Command[]
function Registry:commands()
  local list = { table.unpack(self.command_list) }
  table.sort(list, function(a, b)
    return a.name < b.name
  end)
  return list
end

--- Returns all tools in the order of registration.
---@return panto.Tool[]
function Registry:tools()
  return { table.unpack(self.tool_list) }
end

local function without(list, owner)
  local rest = {}
  for _, item in ipairs(list) do
    if item.owner ~= owner then
      rest[#rest + 1] = item
    end
  end
  return rest
end

--- Removes all that an owner has registered.
---@param owner panto.Owner
function Registry:remove(owner)
  self.tool_list = without(self.tool_list, owner)
  self.command_list = without(self.command_list, owner)
end

return registry
