-- Turns a list of tools into what the model is told of them, and a call of the model into a result.

local json = require("panto.base.json")
local nearest = require("panto.base.nearest")
local result = require("panto.agent.result")
local schema = require("panto.base.schema")
local task = require("panto.sys.task")
local watchdog = require("panto.sys.watchdog")

local tools = {}

local BYTES_PER_TOKEN = 4 -- about, for the account of an entry

---@class panto.Tool
---@field name string such as "std.read"
---@field wire_name string? such as "std_read"
---@field description string
---@field schema table JSON Schema of the input
---@field handler fun(input: table, ctx: panto.ToolContext): any
---@field sequential boolean? never runs beside another call
---@field timeout_s number? how long it may take before it is ended
---@field account panto.Account? of its entry
---@field entry string? name of the extension entry
---@field source string? its file

---@class panto.ToolContext
---@field progress fun(text: string) live output, for the screen
---@field cwd string
---@field call_id string

---@class panto.Toolset
---@field list panto.Tool[] in the order of registration
---@field by_wire table<string, panto.Tool>
local Toolset = {}
Toolset.__index = Toolset

--- Returns the name that a tool has on the wire.
---@param name string
---@return string
function tools.wire_name(name)
  return (name:gsub("[^A-Za-z0-9_-]", "_"))
end

local function collision(one, other, wire)
  local text = "two tools come out as %q on the wire: %s (%s) and %s (%s); rename or deny one"
  return text:format(wire, one.name, one.source or "no file", other.name, other.source or "no file")
end

--- Returns the toolset of a list of tools, or nil and a message naming both files of a collision.
---@param list panto.Tool[]
---@return panto.Toolset?
---@return string? message
function tools.new(list)
  local self = setmetatable({ list = {}, by_wire = {} }, Toolset)
  local done, message = self:replace(list)
  return done and self, message
end

--- Replaces the tools from the next request on; calls that run keep theirs.
---@param list panto.Tool[]
---@return boolean? done
---@return string? message two tools of one name; nothing is replaced then
function Toolset:replace(list)
  local by_wire = {}
  for _, tool in ipairs(list) do
    local wire = tools.wire_name(tool.name)
    local other = by_wire[wire]
    if other then
      return nil, collision(other, tool, wire)
    end
    by_wire[wire] = tool
  end
  self.list, self.by_wire, self.declared = { table.unpack(list) }, by_wire, nil
  return true
end

-- An empty Lua table would become {} where JSON Schema wants a list.
local function clean_schema(node)
  if type(node) ~= "table" then
    return node
  end
  local copy = setmetatable({}, getmetatable(node))
  for key, value in pairs(node) do
    local empty = type(value) == "table" and next(value) == nil
    if not (empty and (key == "required" or key == "enum")) then
      copy[key] = clean_schema(value)
    end
  end
  return copy
end

--- Returns what the model is told of each tool, in a stable order.
---@return panto.ToolDeclaration[]
function Toolset:definitions()
  if not self.declared then
    self.declared = {}
    for i, tool in ipairs(self.list) do
      self.declared[i] = {
        name = tools.wire_name(tool.name),
        description = tool.description or "",
        schema = clean_schema(tool.schema or { type = "object" }),
      }
    end
  end
  return self.declared
end

--- Returns the tool of a wire name.
---@param wire string
---@return panto.Tool?
function Toolset:get(wire)
  return self.by_wire[wire] or self.by_wire[tools.wire_name(wire)]
end

--- Returns the name under which people know a tool; an unknown wire name is itself.
---@param wire string
---@return string
function Toolset:name_of(wire)
  local tool = self:get(wire)
  return tool and tool.name or wire
end

local function unknown(self, wire)
  local names = {}
  for i, tool in ipairs(self.list) do
    names[i] = tools.wire_name(tool.name)
  end
  if #names == 0 then
    return ("There is no tool %q; no tools are loaded."):format(wire)
  end
  local near = nearest.find(wire, names, 3)
  local all = table.concat(names, ", ")
  local hint = #near > 0 and ("Nearest: %s. "):format(table.concat(near, ", ")) or ""
  return ("There is no tool %q. %sThe tools are: %s."):format(wire, hint, all)
end

local function is_object(value)
  return type(value) == "table" and value ~= json.null and not json.is_array(value)
end

-- Some servers send the arguments as JSON inside a JSON string, or null for none.
local function parse_arguments(text)
  if not text or not text:find("%S") then
    return {}
  end
  local value, message = json.decode(text)
  if type(value) == "string" then
    value = json.decode(value)
  end
  if value == json.null then
    return {}
  elseif is_object(value) then
    return value
  elseif value == nil then
    return nil, ("The arguments are not valid JSON: %s. Send the call again."):format(message)
  end
  return nil, "The arguments must be a JSON object. Send the call again."
end

local function parse_input(tool, call)
  local input = call.input
  if not input then
    local problem
    input, problem = parse_arguments(call.arguments)
    if not input then
      return nil, problem
    end
  end
  local shape = tool.schema or { type = "object" }
  input = schema.coerce(shape, input)
  local fits, message = schema.check(shape, input)
  if not fits then
    local text = "The arguments do not fit the schema of %s: %s. Send the call again."
    return nil, text:format(tools.wire_name(tool.name), message)
  end
  return input
end

-- The frames above this file are panto's; those of C say nothing.
local function trim_traceback(trace)
  local kept = {}
  for line in trace:gmatch("\n\t([^\n]+)") do
    if line:find("panto/agent/tools.lua", 1, true) then
      break
    elseif not line:find("^%[C%]:") then
      kept[#kept + 1] = "  " .. line
    end
  end
  return table.concat(kept, "\n")
end

local function on_error(err)
  if task.is_cancelled(err) then
    return err
  end
  local trace = trim_traceback(debug.traceback("", 2))
  return { message = tostring(err), trace = trace }
end

local function failure(tool, err)
  local text = "The tool %s failed: %s"
  if err.trace ~= "" then
    text = text .. "\n" .. err.trace
  end
  return result.new(text:format(tool.name, err.message), true)
end

local function call_handler(tool, input, ctx)
  return result.parse(tool.handler(input, ctx))
end

-- The wall around a tool: whatever it raises is its result. A cancelled wait goes on up.
local function run_watched(tool, input, ctx)
  local before = os.clock()
  local ok, made = watchdog.call(call_handler, on_error, tool, input, ctx)
  if not ok and task.is_cancelled(made) then
    error(made, 0)
  end
  made = ok and made or failure(tool, made)
  local account = tool.account
  if account then
    account.calls = account.calls + 1
    account.errors = account.errors + (ok and 0 or 1)
    account.seconds = account.seconds + os.clock() - before
    account.result_tokens = (account.result_tokens or 0) + #result.text(made) // BYTES_PER_TOKEN
  end
  return made
end

local function run_handler(tool, input, ctx)
  if not tool.timeout_s then
    return run_watched(tool, input, ctx)
  end
  local in_time, made = task.timeout(tool.timeout_s * 1000, run_watched, tool, input, ctx)
  if in_time then
    return made
  end
  local text = "The tool %s was ended: it did not finish within %s s."
  return result.new(text:format(tool.name, tool.timeout_s), true)
end

--- Returns the tool message that a result makes.
---@param call panto.ToolCallPart
---@param made panto.ToolResult
---@return panto.ToolMessage
function tools.message(call, made)
  return {
    role = "tool",
    tool_call_id = call.id,
    tool_name = call.name,
    content = made.content,
    is_error = made.is_error,
    details = made.details,
  }
end

--- Runs a call; every failure is a message with `is_error`. Raises only when its task is cancelled.
---@param call panto.ToolCallPart
---@param ctx panto.ToolContext
---@return panto.ToolMessage
function Toolset:call(call, ctx)
  local tool = self:get(call.name)
  if not tool then
    return tools.message(call, result.new(unknown(self, call.name), true))
  end
  local input, message = parse_input(tool, call)
  if not input then
    return tools.message(call, result.new(message, true))
  end
  return tools.message(call, run_handler(tool, input, ctx))
end

return tools
