-- `panto local --serve`, started by attach.lua: runs the model's server for as long as a panto is connected.
--
-- A panto that ends, however that comes about, loses its connection; with the last one the server ends.

local fs = require("panto.sys.fs")
local http = require("panto.sys.http")
local json = require("panto.base.json")
local orphans = require("panto.sys.orphans")
local pin_of = require("panto.app.own_model.pin")
local process = require("panto.sys.process")
local socket = require("panto.sys.socket")
local task = require("panto.sys.task")

local serve = {}

local ALONE_MS, START_MS, ASK_MS, PORTS = 15000, 300000, 100, 3
local LOG_BYTES, LAST_BYTES = 4 * 1024 * 1024, 400

---@class panto.own_model.Serving
---@field folder string of the socket
---@field count integer connections
---@field answer string? what each connection is told, once it is known
---@field is_up boolean? the server has loaded the model
---@field connections table<panto.Connection, true>

local function tell(self, answer)
  self.answer = json.encode(answer)
  for connection in pairs(self.connections) do
    connection:write_line(self.answer)
  end
end

local function end_all(self)
  if self.ended then
    return
  end
  self.ended = true
  fs.remove(self.link)
  self.stop_listening()
  fs.remove(fs.join(self.folder, "s"))
  fs.remove(self.folder)
  if self.wake then
    self.wake()
  end
end

local function accept(self, connection)
  self.connections[connection] = true
  self.count = self.count + 1
  if self.answer then
    connection:write_line(self.answer)
  end
  connection.on_close = function()
    self.connections[connection] = nil
    self.count = self.count - 1
    if self.count == 0 then
      end_all(self)
    end
  end
end

-- The socket's place is a short name elsewhere; a link beside the model names it.
local function publish(self, pin)
  local message
  self.folder, message = socket.new_folder()
  if not self.folder then
    return nil, message
  end
  local name = fs.join(self.folder, "s")
  self.stop_listening, message = socket.listen(name, function(connection)
    accept(self, connection)
  end)
  if not self.stop_listening then
    return nil, message
  end
  self.link = fs.join(pin.folder, "socket")
  return fs.write(self.link, name)
end

local function start(pin, port, name)
  local context = tostring(pin.model.context_window)
  local args = { "-m", pin.model_path, "--host", "127.0.0.1", "--port", tostring(port) }
  local more = { "-c", context, "--chat-template-file", pin.template_path, "-a", name }
  table.move(more, 1, #more, #args + 1, args)
  table.move(pin.server.arguments, 1, #pin.server.arguments, #args + 1, args)
  return process.spawn({ file = pin.server_path, args = args, cwd = pin.folder, merge = true })
end

-- What the server says goes to a file that does not grow for ever.
local function keep_log(self, child, path)
  fs.remove(path)
  local file = fs.append_open(path)
  for chunk in child.output do
    self.last = ((self.last or "") .. chunk):sub(-LAST_BYTES)
    if file and file:size() < LOG_BYTES then
      file:write(chunk)
    end
  end
end

local function get(port, path)
  local response = http.request({
    url = ("http://127.0.0.1:%d%s"):format(port, path),
    connect_timeout_ms = 2000,
    idle_timeout_ms = 2000,
  })
  local body = response and response:read_all(65536)
  return response and response.status == 200 and body
end

-- Somebody else may have taken the port before the server did: this one knows the name it was given.
local function answers(port, name)
  local models = get(port, "/health") and get(port, "/v1/models")
  return models and models:find(name, 1, true) ~= nil
end

local function await_answer(self, child, port, name)
  local is_ours = false
  task.timeout(START_MS, function()
    repeat
      is_ours = answers(port, name) or false
      if not is_ours then
        task.sleep(ASK_MS)
      end
    until is_ours or child.code or self.ended
  end)
  if is_ours and not child.code and not self.ended then
    self.is_up = true
    tell(self, { port = port })
  end
end

-- Starts the server on another port when somebody else has taken the one that was free.
local function run_server(self, pin)
  local name = fs.basename(self.folder)
  for attempt = 1, PORTS do
    local port = socket.free_port()
    local child, message = start(pin, port, name)
    if not child then
      return tell(self, { error = message })
    end
    local log = task.run(keep_log, self, child, fs.join(pin.folder, "server.log"))
    await_answer(self, child, port, name)
    if self.is_up then
      child:wait()
      return end_all(self)
    elseif self.ended then
      return
    elseif not child.code then
      return tell(self, { error = "the server has not loaded the model in five minutes" })
    end
    task.join(log)
    if attempt == PORTS or not socket.is_taken(port) then
      local words = (self.last or ""):gsub("%s+", " ")
      return tell(self, { error = "the server ended at once; its last words were: " .. words })
    end
  end
end

local function await_end(self)
  if not self.ended then
    task.wait(function(resume)
      self.wake = resume
    end)
  end
end

local function run()
  local pin, message = pin_of.read()
  if not pin then
    return nil, message
  end
  orphans.watch()
  local self = { connections = {}, count = 0 }
  local done
  done, message = publish(self, pin)
  if not done then
    return nil, message
  end
  task.run(run_server, self, pin)
  local alone <close> = task.run(function()
    task.sleep(ALONE_MS)
    if self.count == 0 then
      end_all(self)
    end
  end)
  await_end(self)
  process.kill_all("sigterm")
  return alone ~= nil
end

--- Runs the server until no panto is connected any more.
---@return integer exit_code
function serve.run()
  local done, message = task.loop(run)
  if not done then
    io.stderr:write("panto: ", tostring(message), "\n")
  end
  return done and 0 or 1
end

return serve
