local testing = require("panto.testing")
local uv = require("luv")

-- A server on the loopback that gives every request the same answer.
local function serve(answer)
  local server = uv.new_tcp()
  server:bind("127.0.0.1", 0)
  server:listen(8, function()
    local client = uv.new_tcp()
    server:accept(client)
    client:read_start(function(_, request)
      if request then
        client:write(answer, function()
          client:close()
        end)
      end
    end)
  end)
  finally(function()
    server:close()
  end)
  return ("http://127.0.0.1:%d/"):format(server:getsockname().port)
end

local function fetch(url)
  local t = testing.new({
    script = { { calls = { { name = "fetch", input = { url = url } } } }, { text = "Read." } },
  })
  t:say("read it")
  return t:tool_result("fetch")
end

describe("the fetch tool", function()
  it("gives the model what a server says", function()
    local url = serve("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    local output, result = fetch(url)
    assert.equal("hello", output)
    assert.is_false(result.is_error)
    assert.equal(200, result.details.status)
  end)

  it("calls a refusal an error", function()
    local url =
      serve("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\ngone")
    local output, result = fetch(url)
    assert.equal("gone", output)
    assert.is_true(result.is_error)
  end)
end)
