-- The options of panto.agent.new and the folder's setup into the setup of one agent.

local glob = require("panto.base.glob")
local models = require("panto.config.models")
local nearest = require("panto.base.nearest")
local select_model = require("panto.config.select")
local tools = require("panto.agent.tools")

local agent_setup = {}

---@class panto.AgentProvider
---@field style string
---@field base_url string a server's address, or a script's file
---@field key string?
---@field extra_headers table<string, string>?
---@field prompt_cache boolean?

---@class panto.AgentOptions
---@field model string? "provider:alias"; with `provider` or `stream` the model's name on the wire
---@field provider panto.AgentProvider? one that no configuration has
---@field stream (fun(request: panto.Request): fun(): panto.Item?)? answers in place of any provider
---@field tools (string|panto.Tool)[]? names, globs, tools; all that panto has when left out
---@field system string? in place of panto's system prompt
---@field cwd string? where tools work; the current folder when left out
---@field effort string?
---@field max_turns integer? how often a prompt may ask the model
---@field session boolean|string? true: keep one; an id's beginning: go on with it

local function named_tools(known, pattern)
  local found, names = {}, {}
  for i, tool in ipairs(known) do
    names[i] = tool.name
    if glob.match(pattern, tool.name) then
      found[#found + 1] = tool
    end
  end
  if #found == 0 then
    local near = nearest.find(pattern, names, 1)[1]
    local hint = near and (' (did you mean "%s"?)'):format(near) or ""
    return nil, ('agent.new: there is no tool "%s"%s'):format(pattern, hint)
  end
  return found
end

local function check_tool(tool)
  if type(tool) ~= "table" or type(tool.name) ~= "string" or type(tool.handler) ~= "function" then
    return nil, "agent.new: a tool is a name or { name =, description =, schema =, handler = }"
  end
  return { tool }
end

local function build_toolset(known, wanted)
  local list = {}
  for _, item in ipairs(wanted) do
    local found, message
    if type(item) == "string" then
      found, message = named_tools(known, item)
    else
      found, message = check_tool(item)
    end
    if not found then
      return nil, message
    end
    table.move(found, 1, #found, #list + 1, list)
  end
  return tools.new(list)
end

-- A provider that only this agent knows.
local function own_provider(options)
  local given = options.provider or { style = "stream", base_url = "" }
  local name = options.provider and "provider" or "stream"
  return {
    name = name,
    style = given.style,
    base_url = given.base_url,
    auth = given.key and name or nil,
    extra_headers = given.extra_headers or {},
    prompt_cache = given.prompt_cache ~= false,
  },
    given.key
end

local function own_choice(setup, options)
  local provider, key = own_provider(options)
  local model = models.new(provider.name, options.model or "model")
  setup.choice = { provider = provider, model = model, ref = provider.name .. ":" .. model.alias }
  if key then
    local auth = setmetatable(
      { [provider.name] = { type = "api_key", key = key, variables = {} } },
      { __index = setup.config.auth }
    )
    setup.config = setmetatable({ auth = auth }, { __index = setup.config })
  end
  return true
end

local function choose(setup, options)
  if options.provider or options.stream then
    return own_choice(setup, options)
  end
  local choice, message = select_model.model(setup.config, options.model)
  if not choice then
    return nil, message
  end
  choice.ref = choice.provider.name .. ":" .. choice.model.alias
  setup.choice = choice
  return true
end

--- Builds the setup of one agent on that of its folder.
---@param shared panto.Setup
---@param options panto.AgentOptions
---@return panto.Setup?
---@return string? message
function agent_setup.new(shared, options)
  local setup = setmetatable({
    stream = options.stream,
    effort = options.effort,
    max_rounds = options.max_turns,
    cwd = options.cwd,
    system = options.system,
    model_wished = options.model ~= nil,
  }, { __index = shared })
  local done, message = choose(setup, options)
  if not done then
    return nil, message
  end
  if options.tools then
    local toolset
    toolset, message = build_toolset(shared.toolset.list, options.tools)
    if not toolset then
      return nil, message
    end
    setup.toolset = toolset
  end
  return setup
end

return agent_setup
