-- Holds the tools, commands and keys that extensions have registered, each with its owner.

local json = require("panto.base.json")
local key_name = require("panto.base.key_name")

local registry = {}

---@class panto.Owner
---@field entry string name of the extension entry
---@field source string its file
---@field account panto.Account?
---@field tasks table<panto.Task, true>? that it has started
---@field registry panto.Registry? where it registers while a reload is prepared
---@field bus panto.Bus? the same
---@field gone boolean? it was reloaded: what it still registers is dropped

---@class panto.Key
---@field key string such as "ctrl+t"
---@field description string?
---@field handler fun(): any may wait
---@field entry string?
---@field source string?

---@class panto.Command
---@field name string without the slash
---@field description string
---@field handler fun(args: string): any may wait
---@field complete (fun(prefix: string): (string|panto.tui.Choice)[])? what its arguments may become
---@field entry string?
---@field source string?

---@class panto.Registry
---@field tool_list panto.Tool[] in the order of registration
---@field command_list panto.Command[]
---@field key_list panto.Key[]
---@field reserved table<string, true> commands that are panto's own
---@field collision string? the first clash of two tool names
local Registry = {}
Registry.__index = Registry

--- Returns an empty registry.
---@param reserved table<string, true>? names of commands that no extension may have
---@return panto.Registry
function registry.new(reserved)
  return setmetatable(
    { tool_list = {}, command_list = {}, key_list = {}, reserved = reserved or {} },
    Registry
  )
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
  copy.account = owner.account
  return copy
end

local function check_tool(tool)
  if type(tool) ~= "table" or type(tool.name) ~= "string" or tool.name == "" then
    return "a tool needs a name"
  elseif type(tool.handler) ~= "function" then
    return ("tool %s needs a handler, a function"):format(tool.name)
  elseif tool.schema ~= nil and type(tool.schema) ~= "table" then
    return ("tool %s: schema is a %s, not a table"):format(tool.name, type(tool.schema))
  elseif tool.schema and json.problem(tool.schema) then
    return ("tool %s: its schema is no JSON: %s"):format(tool.name, json.problem(tool.schema))
  elseif tool.description ~= nil and type(tool.description) ~= "string" then
    return ("tool %s: description is not a string"):format(tool.name)
  elseif tool.timeout_s ~= nil and not (tonumber(tool.timeout_s) and tool.timeout_s > 0) then
    return ("tool %s: timeout_s is not a number of seconds"):format(tool.name)
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
  elseif command.complete ~= nil and type(command.complete) ~= "function" then
    return ("command /%s: complete is a %s, not a function"):format(
      command.name,
      type(command.complete)
    )
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
  if self.reserved[command.name] and owner.entry ~= "panto" then
    local text = "command /%s is panto's own: %s (%s) cannot have it"
    return nil, text:format(command.name, owner.entry, owner.source)
  elseif other then
    local text = "command /%s is registered twice: by %s (%s) and by %s (%s)"
    return nil, text:format(command.name, other.entry, other.source, owner.entry, owner.source)
  end
  local added = copy_of(command, owner)
  self.command_list[#self.command_list + 1] = added
  return added
end

--- Adds a key; nil and a message when it is malformed, panto's own or taken.
---@param given panto.Key
---@param owner panto.Owner
---@return panto.Key?
---@return string? message
function Registry:add_key(given, owner)
  if type(given) ~= "table" or type(given.key) ~= "string" then
    return nil, 'a key needs a key, such as "ctrl+t"'
  elseif type(given.handler) ~= "function" then
    return nil, ("key %s needs a handler, a function"):format(given.key)
  end
  local name, message = key_name.parse(given.key)
  if not name then
    return nil, message
  end
  local other = self:get_key(name)
  if other then
    local text = "key %s is registered twice: by %s (%s) and by %s (%s)"
    return nil, text:format(name, other.entry, other.source, owner.entry, owner.source)
  end
  local added = copy_of(given, owner)
  added.key = name
  self.key_list[#self.key_list + 1] = added
  return added
end

--- Returns what an extension has bound to a key.
---@param name string as key events are named
---@return panto.Key?
function Registry:get_key(name)
  for _, key in ipairs(self.key_list) do
    if key.key == name then
      return key
    end
  end
end

--- Returns all keys in the order of registration.
---@return panto.Key[]
function Registry:keys()
  return { table.unpack(self.key_list) }
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

local LISTS = { "tool_list", "command_list", "key_list" }

--- Removes all that an owner has registered.
---@param owner panto.Owner
function Registry:remove(owner)
  for _, name in ipairs(LISTS) do
    local rest = {}
    for _, item in ipairs(self[name]) do
      if item.owner ~= owner then
        rest[#rest + 1] = item
      end
    end
    self[name] = rest
  end
end

--- Returns an empty registry for what a reload registers, until `adopt` makes it this one's.
---@return panto.Registry
function Registry:stage()
  return registry.new(self.reserved)
end

--- Adds what some owners have registered in another registry.
---@param other panto.Registry
---@param is_kept fun(owner: panto.Owner?): boolean
function Registry:copy(other, is_kept)
  for _, name in ipairs(LISTS) do
    for _, item in ipairs(other[name]) do
      if is_kept(item.owner) then
        table.insert(self[name], item)
      end
    end
  end
end

--- Replaces all that is registered at once by what a stage has.
---@param stage panto.Registry
function Registry:adopt(stage)
  for _, name in ipairs(LISTS) do
    self[name] = stage[name]
  end
end

return registry
