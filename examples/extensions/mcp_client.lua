-- An MCP client: starts the servers that mcp.json beside this file lists, talks JSON-RPC with them
-- over stdio, and registers each of their tools as SERVER.TOOL.

local panto = require("panto")
local uv = require("luv")

local _, file = ...
local CONFIG = panto.fs.join(panto.fs.dirname(file), "mcp.json")

---@class mcp.Server
---@field input uv.uv_pipe_t
---@field waiting table<integer, fun(answer: table)> requests without an answer yet, by id
---@field last_id integer
---@field handle uv.uv_process_t
---@field gone string? why there will be no more answers
local Server = {}
Server.__index = Server

local function environment(more)
  local list = {}
  for name, value in pairs(uv.os_environ()) do
    list[#list + 1] = ("%s=%s"):format(name, more and more[name] or value)
  end
  for name, value in pairs(more or {}) do
    list[#list + 1] = ("%s=%s"):format(name, value)
  end
  return list
end

-- Every request that waits gets an answer, so that no call hangs on a server that has ended.
local function fail_all(self, message)
  self.gone = message
  for id, resume in pairs(self.waiting) do
    self.waiting[id] = nil
    resume({ error = { message = message } })
  end
end

local function take_line(self, line)
  local answer = panto.json.decode(line)
  local resume = type(answer) == "table" and self.waiting[answer.id]
  if resume then
    self.waiting[answer.id] = nil
    resume(answer)
  end
end

local function start(name, spec)
  local self = setmetatable({ waiting = {}, last_id = 0 }, Server)
  local output, rest = uv.new_pipe(), ""
  self.input = uv.new_pipe()
  local message
  self.handle, message = uv.spawn(spec.command, {
    args = spec.args,
    env = environment(spec.env),
    stdio = { self.input, output },
  }, function(code)
    fail_all(self, ("the MCP server %s ended with code %d"):format(name, code))
  end)
  if not self.handle then
    error(("%s: %s"):format(spec.command, message), 0)
  end
  output:read_start(function(_, data)
    rest = rest .. (data or "")
    rest = rest:gsub("([^\n]*)\n", function(line)
      take_line(self, line)
      return ""
    end)
  end)
  return self
end

function Server:send(message)
  message.jsonrpc = "2.0"
  self.input:write(panto.json.encode(message) .. "\n")
end

-- Waits for the answer; nil and a message when the server refuses.
function Server:request(method, params)
  if self.gone then
    return nil, self.gone
  end
  local id = self.last_id + 1
  self.last_id = id
  local answer = panto.task.wait(function(resume)
    self.waiting[id] = resume
    self:send({ id = id, method = method, params = params })
    return function()
      self.waiting[id] = nil
    end
  end)
  if answer.error then
    return nil, answer.error.message
  end
  return answer.result
end

function Server:stop()
  if not self.gone then
    self.handle:kill("sigterm")
  end
end

local function text_of(result)
  local texts = {}
  for _, part in ipairs(result.content or {}) do
    texts[#texts + 1] = part.text or ("[%s]"):format(part.type)
  end
  return table.concat(texts, "\n")
end

local function register(server, prefix, tool)
  panto.ext.register_tool({
    name = prefix .. "." .. tool.name,
    description = tool.description,
    schema = tool.inputSchema,
    handler = function(input)
      local params = { name = tool.name, arguments = input }
      local result, message = server:request("tools/call", params)
      if not result then
        return { text = message, is_error = true }
      end
      return { text = text_of(result), is_error = result.isError == true }
    end,
  })
end

local function connect(name, spec)
  local server = start(name, spec)
  local ready, message = server:request("initialize", {
    protocolVersion = "2025-06-18",
    capabilities = {},
    clientInfo = { name = "panto", version = panto.env.version() },
  })
  if not ready then
    error(message, 0)
  end
  server:send({ method = "notifications/initialized" })
  local listed = server:request("tools/list", {})
  for _, tool in ipairs(listed and listed.tools or {}) do
    register(server, name, tool)
  end
  return server
end

local servers = {}

local function stop_all()
  for _, server in ipairs(servers) do
    server:stop()
  end
  servers = {}
end

return {
  name = "mcp",
  activate = function()
    local text = panto.fs.read(CONFIG)
    local config = text and assert(panto.json.decode(text)) or {}
    for name, spec in pairs(config.mcpServers or {}) do
      servers[#servers + 1] = connect(name, spec)
    end
    panto.ext.on("session_end", stop_all)
  end,
  deactivate = stop_all,
}
