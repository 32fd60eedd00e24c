local process = require("panto.sys.process")
local task = require("panto.sys.task")

-- A start that loads through the cache, in a process of its own with its own home.
local SCRIPT = [[
  local chunks = require("panto.sys.chunks")
  os.execute("mkdir -p '" .. require("panto.host").path("cache") .. "'")
  chunks.install()
  package.loaded["panto.base.glob"] = nil
  print(require("panto.base.glob").match("a*", "abc"), debug.getinfo(require("panto.base.glob").match, "S").source)
  chunks.save()
]]

describe("the cache of compiled files", function()
  local home

  local function start(script)
    return task.loop(function()
      return process.run({
        file = require("panto.host").path("python"),
        args = { "-P", "-m", "panto_host", "lua", "-e", script or SCRIPT },
        env = { PANTO_HOME = home, PANTO_ROCKS_TREE = require("panto.host").path("rocks_tree") },
      })
    end)
  end

  local function cache_file()
    local list = io.popen("ls '" .. home .. "'/cache/chunks-*")
    local name = list:read("l")
    list:close()
    return name
  end

  before_each(function()
    home = os.tmpname()
    os.remove(home)
  end)

  after_each(function()
    os.execute("rm -rf '" .. home .. "'")
  end)

  it("gives the same module, named after its source, from the source and from the cache", function()
    local first, second = start(), start()
    assert.equal("", first.stderr)
    assert.matches("^true\t@.*/lua/panto/base/glob.lua\n$", first.stdout)
    assert.equal(first.stdout, second.stdout)
  end)

  it("is not used for a source that changed, before a start or after", function()
    os.execute("mkdir -p '" .. home .. "/cache'")
    local source = home .. "/one.lua"
    local script = ([[
      local chunks = require("panto.sys.chunks")
      chunks.install()
      local function write(text)
        local file = io.open(%q, "w")
        file:write("return ", text)
        file:close()
      end
      if not io.open(%q) then write("1") end
      io.write(chunks.load(%q)(), " ")
      chunks.save()
      write("222")
      io.write(chunks.load(%q)(), " ")
      write("33")
      print(chunks.load(%q)())
      chunks.save()
      write("4444")
    ]]):format(source, source, source, source, source)
    assert.equal("1 222 33\n", start(script).stdout)
    assert.equal("4444 222 33\n", start(script).stdout)
  end)

  it("looks at a source anew that is loaded for the first time after the start", function()
    os.execute("mkdir -p '" .. home .. "/cache'")
    local source = home .. "/one.lua"
    local script = ([[
      local chunks = require("panto.sys.chunks")
      local function write(text)
        local file = io.open(%q, "w")
        file:write("return ", text)
        file:close()
      end
      local is_first = not io.open(%q)
      if is_first then write("1") end
      chunks.install()
      if not is_first then chunks.save() write("222") end
      print(chunks.load(%q)())
      chunks.save()
    ]]):format(source, source, source)
    assert.equal("1\n", start(script).stdout)
    assert.equal("222\n", start(script).stdout)
  end)

  for what, bytes in pairs({ ["is cut"] = 0.5, ["is empty"] = 0, ["is garbage"] = false }) do
    it(("is made anew when it %s"):format(what), function()
      local expected = start().stdout
      local name = cache_file()
      local file = assert(io.open(name, "rb"))
      local whole = file:read("a")
      file:close()
      file = assert(io.open(name, "wb"))
      file:write(bytes and whole:sub(1, math.floor(#whole * bytes)) or ("x"):rep(1000))
      file:close()
      local again = start()
      assert.equal("", again.stderr)
      assert.equal(expected, again.stdout)
    end)
  end
end)
