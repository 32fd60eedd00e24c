-- Attaching to the model's server: here a socket that answers as one does.

local attach = require("panto.app.own_model.attach")
local fs = require("panto.sys.fs")
local pin_of = require("panto.app.own_model.pin")
local socket = require("panto.sys.socket")
local task = require("panto.sys.task")

local PROVIDER = { name = "local", style = "openai_chat", base_url = pin_of.URL }
local READ = pin_of.read

-- A server that is told what to answer, and a setup that finds it.
local function new_place()
  local folder = assert(socket.new_folder())
  local name, link = fs.join(folder, "s"), fs.join(folder, "socket")
  local place = { connections = {}, notices = 0 }
  local close = assert(socket.listen(name, function(connection)
    table.insert(place.connections, connection)
  end))
  assert(fs.write(link, name))
  pin_of.read = function()
    return { folder = folder, model_path = name, server_path = name, template_path = name }
  end
  place.setup = { own_model = {}, bus = {} }
  function place.setup.bus.emit()
    place.notices = place.notices + 1
  end
  return setmetatable(place, {
    __close = function()
      pin_of.read = READ
      close()
      for _, path in ipairs({ name, link, fs.join(folder, ".start.lock"), folder }) do
        fs.remove(path)
      end
    end,
  })
end

local function wait(condition)
  assert.is_true((task.timeout(20000, function()
    while not condition() do
      task.sleep(1)
    end
  end)))
end

local function ask(place)
  return task.run(attach.provider, setmetatable({}, { __index = place.setup }), PROVIDER)
end

local function await_connection(place)
  wait(function()
    return place.connections[1]
  end)
end

describe("attaching to the model's server", function()
  it("is done once for two who ask at once, and for who asks later", function()
    local place <close> = new_place()
    local one, other = ask(place), ask(place)
    await_connection(place)
    place.connections[1]:write_line('{"port":4321}')
    local provider = task.await(one)
    assert.equal("http://127.0.0.1:4321/v1", provider.base_url)
    assert.equal(provider, task.await(other))
    assert.equal(provider, task.await(ask(place)))
    assert.equal(1, place.notices)
    assert.equal(1, #place.connections)
  end)

  it("goes on for the second when the first is stopped", function()
    local place <close> = new_place()
    local one, other = ask(place), ask(place)
    await_connection(place)
    task.cancel(one)
    place.connections[1]:write_line('{"port":4321}')
    assert.equal("http://127.0.0.1:4321/v1", task.await(other).base_url)
    assert.equal(1, #place.connections)
  end)

  it("tells both what is wrong, and begins anew for the next", function()
    local place <close> = new_place()
    local one, other = ask(place), ask(place)
    await_connection(place)
    place.connections[1]:write_line('{"error":"the model is damaged"}')
    for _, asking in ipairs({ one, other }) do
      local provider, message = task.await(asking)
      assert.is_nil(provider)
      assert.is_truthy(message:find("the model is damaged", 1, true))
    end
    assert.equal(1, #place.connections)
    local again = ask(place)
    wait(function()
      return place.connections[2]
    end)
    place.connections[2]:write_line('{"port":4322}')
    assert.equal("http://127.0.0.1:4322/v1", task.await(again).base_url)
    assert.equal(2, place.notices)
  end)

  it("leaves another provider as it is", function()
    local other = { name = "x", base_url = "http://127.0.0.1:9/v1" }
    assert.equal(other, attach.provider({ own_model = {} }, other))
  end)
end)
