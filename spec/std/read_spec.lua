local panto = require("panto")
local read = require("std.read")
local uv = require("luv")

local folder

local function put(name, bytes)
  assert(panto.fs.write(folder .. "/" .. name, bytes, { parents = true }))
  return folder .. "/" .. name
end

local function run(input)
  return panto.task.loop(function()
    local answer = read.handler(input, { cwd = folder })
    return type(answer) == "string" and { text = answer } or answer
  end)
end

local function numbered(count)
  local lines = {}
  for i = 1, count do
    lines[i] = "line " .. i
  end
  return table.concat(lines, "\n") .. "\n"
end

describe("std.read", function()
  before_each(function()
    folder = assert(uv.fs_mkdtemp("/tmp/panto-read-XXXXXX"))
  end)

  after_each(function()
    panto.task.loop(function()
      panto.process.run({ file = "rm", args = { "-rf", folder } })
    end)
  end)

  it("returns a small file as it is", function()
    put("a.txt", "one\ntwo\n")
    assert.same("one\ntwo", run({ path = "a.txt" }).text)
  end)

  it("reads a range of lines and says how to continue", function()
    put("a.txt", numbered(10))
    assert.same(
      "line 3\nline 4\n\n[lines 3-4 of 10; continue with offset=5]",
      run({ path = "a.txt", offset = 3, limit = 2 }).text
    )
  end)

  it("stops after 2000 lines", function()
    put("a.txt", numbered(2500))
    local text = run({ path = "a.txt" }).text
    assert.matches("line 2000\n\n%[lines 1%-2000 of 2500; continue with offset=2001%]$", text)
    assert.matches("^line 2001\n.*line 2500$", run({ path = "a.txt", offset = 2001 }).text)
  end)

  it("stops at 50 KB with whole lines only", function()
    put("a.txt", (("x"):rep(999) .. "\n"):rep(100))
    local text = run({ path = "a.txt" }).text
    assert.matches("%[lines 1%-51 of 100; continue with offset=52%]$", text)
    assert.is_true(#text < 51 * 1024 + 100)
  end)

  it("cuts a line of over 2000 characters with a mark, between characters", function()
    put("a.txt", ("é"):rep(2500) .. "\nnext\n")
    local text = run({ path = "a.txt" }).text
    assert.matches("^" .. ("é"):rep(2000) .. "… %[line cut: 5000 bytes long", text)
    assert.matches("\nnext$", text)
    put("b.txt", ("é"):rep(2000))
    assert.same(("é"):rep(2000), run({ path = "b.txt" }).text)
  end)

  it("reads the last page of 50 MB in little memory", function()
    put("big.txt", ("0123456789012345678901234567890123456789012345678\n"):rep(1024 * 1024))
    collectgarbage("incremental") -- as it is in panto
    collectgarbage()
    local before, started = collectgarbage("count"), uv.hrtime()
    local text = run({ path = "big.txt", offset = 1024 * 1024 - 1 }).text
    assert.same(99, #text)
    assert.is_true((uv.hrtime() - started) / 1e9 < 10)
    assert.is_true(collectgarbage("count") - before < 20 * 1024)
  end)

  it("survives one line of 50 MB", function()
    put("big.txt", ("x"):rep(50 * 1024 * 1024))
    assert.matches("%[line cut: 52428800 bytes long", run({ path = "big.txt" }).text)
  end)

  it("names the nearest siblings of a missing file", function()
    put("config.lua", "")
    local answer = run({ path = "confg.lua" })
    assert.is_true(answer.is_error)
    assert.matches("does not exist; nearest in that folder: config%.lua", answer.text)
    assert.matches(
      "the nearest folder that exists is " .. folder,
      run({ path = "no/x/y" }).text,
      1,
      true
    )
  end)

  it("lists a folder", function()
    put("sub/b.txt", "")
    put("a.txt", "")
    local answer = run({ path = "." })
    assert.matches("is a folder with 2 entries:\na%.txt\nsub/$", answer.text)
  end)

  it("returns images as images and binaries as advice", function()
    put("a.dat", "\x89PNG\r\n\x1a\nrest")
    local answer = run({ path = "a.dat" })
    assert.same("image/png", answer.images[1].media_type)
    assert.same("\x89PNG\r\n\x1a\nrest", panto.text.base64.decode(answer.images[1].data))
    put("b.dat", "\x7fELF\0\0")
    assert.matches(
      "is an ELF executable or library %(6 bytes%), not text",
      run({ path = "b.dat" }).text
    )
  end)

  it("decodes text that is not UTF-8 with replacement and says so", function()
    put("a.txt", "caf\xe9\n")
    assert.same(
      "caf\u{FFFD}\n\n[not UTF-8: bytes that could not be decoded are shown as \u{FFFD}]",
      run({ path = "a.txt" }).text
    )
  end)

  it("drops carriage returns of line ends and a byte order mark", function()
    put("a.txt", "\xEF\xBB\xBFone\r\ntwo\r\n")
    assert.same("one\ntwo", run({ path = "a.txt" }).text)
  end)

  it("says when a file is empty and when the offset is past its end", function()
    put("a.txt", "")
    assert.matches("is empty$", run({ path = "a.txt" }).text)
    put("b.txt", "x\n")
    local answer = run({ path = "b.txt", offset = 5 })
    assert.is_true(answer.is_error)
    assert.matches("offset=5 is past the end: .* has 1 line", answer.text)
  end)

  it("refuses what is no regular file", function()
    assert.matches("is a char, not a regular file", run({ path = "/dev/zero" }).text)
  end)
end)
