local panto = require("panto")
local testing = require("panto.testing")

local here = ...
local python = os.getenv("MCP_PYTHON") or "python3"

-- The servers are listed beside the extension: so here it is one of the project's.
local function open(script)
  local probe = 'import importlib.util as u, sys; sys.exit(u.find_spec("mcp") is None)'
  local found = panto.process.run({ file = python, args = { "-c", probe } })
  if not found or found.code ~= 0 then
    pending("it needs Python's mcp package: MCP_PYTHON=/path/to/python")
  end
  local server = { command = python, args = { here .. "/mcp_server.py" } }
  return testing.new({
    extensions = {},
    files = {
      [".panto/extensions/mcp.lua"] = panto.fs.read(here .. "/mcp_client.lua"),
      [".panto/extensions/mcp.json"] = panto.json.encode({ mcpServers = { sums = server } }),
    },
    script = script,
  })
end

describe("the MCP client", function()
  it("gives the model the tools of a server", function()
    local t = open({
      { calls = { { name = "sums.add", input = { a = 2, b = 40 } }, { name = "sums.fail" } } },
      { text = "42." },
    })
    t:say("add")
    assert.equal("42", t:tool_result("sums.add"))
    local output, result = t:tool_result("sums.fail")
    assert.is_true(result.is_error)
    assert.contains("as it should", output)
  end)

  it("starts its servers anew on /reload", function()
    local t = open({ { calls = { { name = "sums.add", input = { a = 1, b = 1 } } } }, "2." })
    t:reload()
    t:say("add")
    assert.equal("2", t:tool_result("sums.add"))
  end)
end)
