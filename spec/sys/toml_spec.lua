local process = require("panto.sys.process")
local task = require("panto.sys.task")

-- Parses through the cache in a process of its own, and tells whether the parser was loaded.
local SCRIPT = [[
  local toml = require("panto.sys.toml")
  require("panto.sys.fs").mkdir(require("panto.host").path("cache"))
  toml.open_cache()
  local host = require("panto.host")
  local parse, parsed = host.toml_to_json, 0
  host.toml_to_json = function(text)
    parsed = parsed + 1
    return parse(text)
  end
  for _, text in ipairs({ "a = 1\nb = [1.5, 'x']", "a = 2" }) do
    io.write(require("panto.base.json").encode(toml.decode(text)), "\n")
  end
  io.write(tostring(toml.decode("a = ")), "\n", parsed, "\n")
  toml.save_cache()
]]

describe("parsed TOML", function()
  local home

  before_each(function()
    home = os.tmpname()
    os.remove(home)
  end)

  after_each(function()
    os.execute("rm -rf '" .. home .. "'")
  end)

  local function start()
    local host = require("panto.host")
    return task.loop(function()
      local done = process.run({
        file = host.path("python"),
        args = { "-P", "-m", "panto_host", "lua", "-e", SCRIPT },
        env = { PANTO_HOME = home, PANTO_ROCKS_TREE = host.path("rocks_tree") },
      })
      assert.equal("", done.stderr)
      return done.stdout
    end)
  end

  it("is kept for the next start, errors are not", function()
    local tables = '{"a":1,"b":[1.5,"x"]}\n{"a":2}\nnil\n'
    assert.equal(tables .. "3\n", start())
    assert.equal(tables .. "1\n", start())
  end)

  it("is readable by the user alone", function()
    start()
    local stat = require("panto.sys.fs").stat(home .. "/cache/toml")
    assert.equal(384, stat.mode)
  end)

  it("is parsed anew when what was kept is damaged", function()
    local first = start()
    local name = home .. "/cache/toml"
    local file = assert(io.open(name, "rb"))
    local bytes = file:read("a")
    file:close()
    file = assert(io.open(name, "wb"))
    file:write(bytes:sub(1, #bytes // 2))
    file:close()
    assert.equal(first, start())
  end)
end)
