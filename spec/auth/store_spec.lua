local fs = require("panto.sys.fs")
local store = require("panto.auth.store")
local task = require("panto.sys.task")

local RECORD = { access_token = "a", refresh_token = "r" }

describe("the store of logins", function()
  local dir, logins

  before_each(function()
    dir = os.tmpname()
    os.remove(dir)
    logins = store.new(dir)
  end)

  after_each(function()
    os.execute("rm -rf '" .. dir .. "'")
  end)

  local function set(name, record)
    local held <close> = assert(logins:open())
    assert(held:set(name, record))
    return held.note
  end

  it("is empty before the first login and makes its folder then", function()
    assert.is_nil(logins:get("x"))
    assert.is_false(fs.exists(dir))
    set("x", RECORD)
    assert.same(RECORD, logins:get("x"))
    assert.equal(384, fs.stat(logins.path).mode)
    set("x", nil)
    assert.is_nil(logins:get("x"))
  end)

  it("keeps what it does not know, and narrows an open mode", function()
    assert(fs.write(logins.path, '{"v":1,"y":{"l":[],"n":null}}', { parents = true, mode = 420 }))
    set("x", RECORD)
    local text = '{"v":1,"x":{"access_token":"a","refresh_token":"r"},"y":{"l":[],"n":null}}\n'
    assert.equal(text, fs.read(logins.path))
    assert.equal(384, fs.stat(logins.path).mode)
  end)

  it("writes through a link and leaves nothing beside", function()
    assert(fs.write(dir .. "/real/auth.json", "{}", { parents = true }))
    os.execute(("ln -s real/auth.json '%s'"):format(logins.path))
    set("x", RECORD)
    assert.truthy(fs.read(dir .. "/real/auth.json"):find("refresh"))
    assert.equal(1, #fs.list(dir .. "/real"))
  end)

  it("sets a damaged file aside when it is opened, and says so", function()
    for _, text in ipairs({ "{", "[]", "null", "5" }) do
      assert(fs.write(logins.path, text, { parents = true }))
      local entries, message, is_broken = logins:read()
      assert.is_nil(entries)
      assert.truthy(message:find("is damaged", 1, true))
      assert.is_true(is_broken)
      assert.is_nil(logins:get("x"))
      assert.truthy(set("x", RECORD):find("set aside as auth.json.damaged-", 1, true))
      assert.same(RECORD, logins:get("x"))
    end
  end)

  it("takes an empty file for an empty store", function()
    assert(fs.write(logins.path, " \n", { parents = true }))
    assert.is_nil(set("x", RECORD))
  end)

  it("is not changed when it cannot be read", function()
    assert(fs.mkdir(logins.path))
    local entries, message = logins:open()
    assert.is_nil(entries)
    assert.truthy(message:find("directory", 1, true))
    entries, message = logins:get("x")
    assert.is_nil(entries)
    assert.truthy(message)
  end)

  it("makes a second one wait for the lock", function()
    task.loop(function()
      local order = {}
      local first = assert(logins:open())
      local second = task.run(function()
        local held <close> = assert(logins:open())
        order[#order + 1] = held and "second"
      end)
      task.sleep(50)
      order[#order + 1] = "first"
      first:close()
      task.await(second)
      assert.same({ "first", "second" }, order)
    end)
  end)

  it("takes only a table with an access token for a login", function()
    for _, entry in ipairs({ "x", 5, {}, { access_token = 5 } }) do
      assert.is_nil(store.record(entry))
    end
    assert.is_nil(store.record(nil))
  end)
end)
