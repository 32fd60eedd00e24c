-- A provider whose server is panto's own into one with a port: connected to it, and started when it does not run.

local daemon = require("panto.sys.daemon")
local env = require("panto.sys.env")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local pin_of = require("panto.app.own_model.pin")
local socket = require("panto.sys.socket")
local task = require("panto.sys.task")

local attach = {}

local POLL_MS, CONNECT_MS, ANSWER_MS, ATTEMPTS = 50, 20000, 310000, 3
local GONE = "panto's own model server is not here (%s is missing): say `panto local` to bring it"
local SILENT = "panto's own model server did not start; what it said is in %s"

---@class panto.own_model.Attached
---@field connection panto.Connection held as long as panto runs
---@field port integer
---@field source panto.Provider? whose settings `provider` has
---@field provider panto.Provider? with the port

---@class panto.own_model.Own
---@field attached panto.own_model.Attached?
---@field pending panto.Task? it begins

local function connect(pin)
  local name = fs.read(fs.join(pin.folder, "socket"))
  return name and socket.connect(name)
end

-- A server that was killed leaves its socket and the link to it.
local function forget(pin)
  local link = fs.join(pin.folder, "socket")
  local name = fs.read(link)
  if name and fs.basename(name) == "s" then
    fs.remove(name)
    fs.remove(fs.dirname(name))
  end
  fs.remove(link)
end

local function lock_start(pin)
  local name, lock = fs.join(pin.folder, ".start.lock"), nil
  local in_time = task.timeout(CONNECT_MS, function()
    repeat
      lock = fs.lock(name)
      if not lock then
        task.sleep(POLL_MS)
      end
    until lock
  end)
  return in_time and lock or nil
end

local function start(pin, log)
  return daemon.start({
    file = env.path("python"),
    args = { "-P", "-m", "panto_host", "local", "--serve" },
    cwd = pin.folder,
    env = { PANTO_HOME = env.path("data_home") },
    log = log,
  })
end

-- Connected, and whoever else starts now waits until this one is.
local function open(pin)
  local log = fs.join(pin.folder, "serve.log")
  local lock = lock_start(pin)
  local guard <close> = lock
  local connection = lock and connect(pin)
  if connection or not lock then
    return connection, SILENT:format(log)
  end
  forget(pin)
  local started, message = start(pin, log)
  if not started then
    return nil, message
  end
  task.timeout(CONNECT_MS, function()
    repeat
      task.sleep(POLL_MS)
      connection = connect(pin)
    until connection
  end)
  return connection, guard and SILENT:format(log)
end

local function ask(connection)
  local line
  local in_time = task.timeout(ANSWER_MS, function()
    line = connection:read_line()
  end)
  local answer = line and json.decode(line)
  if answer then
    return answer
  end
  connection:close()
  return nil, in_time
end

-- A connection that ends without an answer was to a server that just ended: once more.
local function new(pin)
  local message
  for _ = 1, ATTEMPTS do
    local connection
    connection, message = open(pin)
    if not connection then
      return nil, message
    end
    local answer, is_ended = ask(connection)
    if answer and answer.port then
      connection:unref()
      return { connection = connection, port = math.tointeger(answer.port) }
    elseif answer then
      connection:close()
      local text = "panto's own model server: %s (%s)"
      return nil, text:format(answer.error, fs.join(pin.folder, "server.log"))
    end
    message = SILENT:format(fs.join(pin.folder, "serve.log"))
    if not is_ended then
      break
    end
  end
  return nil, message
end

local function begin(setup)
  local pin, message = pin_of.read()
  if not pin then
    return nil, message
  elseif not pin_of.is_ready(pin) then
    return nil, GONE:format(pin.folder)
  end
  setup.bus:emit("notice", { level = "info", text = "Starting the model on this machine." })
  return new(pin)
end

-- Who asks while it begins waits for the same end. It is a task of its own: the turn of one who
-- asked may be stopped, and the others still want it.
local function hold(setup)
  local own = setup.own_model
  if own.attached and not own.attached.connection.closed then
    return own.attached
  end
  own.pending = own.pending
    or task.run(function()
      local guard <close> = setmetatable({}, {
        __close = function()
          own.pending = nil
        end,
      })
      local attached, message = begin(setup)
      own.attached = attached
      return attached, guard and message
    end)
  return task.await(own.pending)
end

-- One table as long as it is true: what was encoded for it is known by that.
local function with_port(attached, provider)
  if attached.source ~= provider then
    attached.source, attached.provider = provider, {}
    for name, value in pairs(provider) do
      attached.provider[name] = value
    end
    attached.provider.base_url = pin_of.URL:gsub(":0/", (":%d/"):format(attached.port))
  end
  return attached.provider
end

--- Returns the provider with an address that answers, in a task; another provider as it is.
---@param setup panto.Setup keeps the connection
---@param provider panto.Provider
---@return panto.Provider?
---@return string? message
function attach.provider(setup, provider)
  if provider.base_url ~= pin_of.URL then
    return provider
  end
  local attached, message = hold(setup)
  if not attached then
    return nil, message
  end
  return with_port(attached, provider)
end

return attach
