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

local ALONE_MS, START_MS, ASK_MS = 15000, 300000, 100
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

local function start(pin, port)
  local context = tostring(pin.model.context_window)
  local args = { "-m", pin.model_path, "--host", "127.0.0.1", "--port", tostring(port) }
  local more = { "-c", context, "--chat-template-file", pin.template_path }
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

local function answers(port)
  local response = http.request({
    url = ("http://127.0.0.1:%d/health"):format(port),
    connect_timeout_ms = 2000,
    idle_timeout_ms = 2000,
  })
  if not response then
    return false
  end
  response:read_all(65536)
  return response.status == 200
end

local function await_answer(self, child, port)
  local in_time = task.timeout(START_MS, function()
    while not (child.code or self.ended or answers(port)) do
      task.sleep(ASK_MS)
    end
  end)
  if self.ended then
    return
  elseif child.code then
    local words = (self.last or ""):gsub("%s+", " ")
    tell(self, { error = "the server ended at once; its last words were: " .. words })
  elseif not in_time then
    tell(self, { error = "the server has not loaded the model in five minutes" })
  else
    self.is_up = true
    tell(self, { port = port })
  end
end

-- One that never came up is told to who asked for it, and that one ends it.
local function watch(self, child)
  child:wait()
  if self.is_up then
    end_all(self)
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
  local port = socket.free_port()
  local child
  child, message = start(pin, port)
  if not child then
    tell(self, { error = message })
  else
    task.run(keep_log, self, child, fs.join(pin.folder, "server.log"))
    task.run(await_answer, self, child, port)
    task.run(watch, self, child)
  end
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
