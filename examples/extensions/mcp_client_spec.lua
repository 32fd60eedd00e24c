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
      [".panto/extensions/mcp.lua"] = assert(panto.fs.read(here .. "/mcp_client.lua")),
      [".panto/extensions/mcp.json"] = panto.json.encode({ mcpServers = { sums = server } }),
    },
    script = script,
  })
end

describe("the MCP client", function()
  it("gives the model the tools of a server, also after a reload", function()
    local add = { calls = { { name = "sums.add", input = { a = 2, b = 40 } } } }
    local t = open({ { calls = { { name = "sums.fail" } } }, add, "42.", add, "42 again." })
    t:say("add")
    assert.equal("42", t:tool_result("sums.add"))
    local output, result = t:tool_result("sums.fail")
    assert.is_true(result.is_error)
    assert.contains("fail", output)
    t:reload()
    t:say("and again")
    assert.equal("42", t:tool_result("sums.add"))
  end)
end)
