local panto = require("panto")
local uv = require("luv")
local write = require("std.write")

local folder

local function run(input)
  local answer = write.handler(input, { cwd = folder })
  return type(answer) == "string" and { text = answer } or answer
end

describe("std.write", function()
  before_each(function()
    folder = assert(uv.fs_mkdtemp("/tmp/panto-write-XXXXXX"))
  end)

  after_each(function()
    panto.task.loop(function()
      panto.process.run({ file = "rm", args = { "-rf", folder } })
    end)
  end)

  it("creates a file with its folders and says how many lines it has", function()
    local answer = run({ path = "a/b/c.txt", content = "one\ntwo" })
    assert.same(("created %s/a/b/c.txt (2 lines)"):format(folder), answer.text)
    assert.same("one\ntwo", panto.fs.read(folder .. "/a/b/c.txt"))
  end)

  it("replaces a file, keeps its mode and follows links", function()
    panto.fs.write(folder .. "/real", "old\n")
    uv.fs_chmod(folder .. "/real", 493)
    uv.fs_symlink("real", folder .. "/link")
    assert.same(
      ("replaced %s/link (1 line)"):format(folder),
      run({ path = "link", content = "new\n" }).text
    )
    assert.same("new\n", panto.fs.read(folder .. "/real"))
    assert.same(493, panto.fs.stat(folder .. "/real").mode)
    assert.same("link", uv.fs_lstat(folder .. "/link").type)
  end)

  it("refuses to replace a folder", function()
    local answer = run({ path = ".", content = "x" })
    assert.is_true(answer.is_error)
    assert.matches("is a folder", answer.text)
  end)

  it("does not call a file of the kernel missing", function()
    if panto.fs.stat("/proc/self/comm") then
      local answer = run({ path = "/proc/self/comm", content = "x" })
      assert.is_true(answer.is_error)
      assert.matches("cannot be replaced", answer.text)
    end
  end)

  it("leaves nothing beside the file when it fails", function()
    panto.fs.write(folder .. "/file", "x")
    local answer = run({ path = "file/below", content = "x" })
    assert.is_true(answer.is_error)
    assert.same(1, #panto.fs.list(folder))
  end)
end)
