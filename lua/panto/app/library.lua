-- Adds to require("panto") what stands above it: panto.agent and panto.session.

local agent = require("panto.app.agent")
local agent_setup = require("panto.app.agent_setup")
local boot = require("panto.app.boot")
local fs = require("panto.sys.fs")
local resume = require("panto.app.resume")
local session_query = require("panto.app.session_query")

local library = {}

local function report(err)
  local text = "panto: the handler of %s failed: %s%s\n"
  io.stderr:write(text:format(err.event, err.message, err.traceback))
end

-- A folder's configuration and extensions are loaded once for all agents.
local function load_setup(cwd)
  local setup, message = boot.load({ cwd = cwd, report = report })
  if setup then
    for _, text in ipairs(setup.warnings) do
      io.stderr:write("panto: ", text, "\n")
    end
    for _, failure in ipairs(setup.failures) do
      io.stderr:write("panto: ", failure.file, ": ", failure.message, "\n")
    end
  end
  return setup, message
end

local function open_log(wish, cwd)
  if type(wish) ~= "string" then
    return nil
  end
  return resume.open(wish, cwd)
end

--- Adds panto.agent and panto.session to the public module.
---@param public table
---@param loaded panto.Setup? the setup of a panto that runs already
---@return table public
function library.install(public, loaded)
  local setups = {}
  if loaded then
    setups[loaded.cwd] = loaded
  end

  --- Makes an agent: a model, tools and a conversation. What is wrong with the options, or with the
  --- configuration, is raised.
  ---@param options panto.AgentOptions?
  ---@return panto.Agent
  local function new(options)
    options = options or {}
    local cwd = options.cwd or fs.cwd()
    local message, log
    if not setups[cwd] then
      setups[cwd], message = load_setup(cwd)
    end
    local setup = setups[cwd]
    if setup then
      setup, message = agent_setup.new(setup, options)
    end
    if setup and type(options.session) == "string" then
      log, message = open_log(options.session, cwd)
      setup = log and setup
    end
    if not setup then
      error(message, 2)
    end
    local is_saved = options.session ~= nil and options.session ~= false
    return agent.new(setup, { is_saved = is_saved, log = log })
  end

  public.agent = { new = new }
  public.session = session_query
  return public
end

return library
