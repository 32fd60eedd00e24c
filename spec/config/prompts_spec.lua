local prompts = require("panto.config.prompts")

local function read(files)
  return prompts.read({
    folders = { "/base", "/user/", "/p/.panto" },
    read_file = function(path)
      local text = files[path]
      if text == false then
        return nil, "permission denied", "EACCES"
      end
      return text, "no such file", "ENOENT"
    end,
  })
end

describe("prompts", function()
  it("takes the highest SYSTEM.md and appends every APPEND_SYSTEM.md in order", function()
    local found = read({
      ["/base/SYSTEM.md"] = "base\n",
      ["/user/SYSTEM.md"] = "\xef\xbb\xbfuser\r\nline\r\n",
      ["/base/APPEND_SYSTEM.md"] = "one\n",
      ["/p/.panto/APPEND_SYSTEM.md"] = "two\n",
    })
    assert.equal("user\nline\n\none\n\ntwo", prompts.system(found, "default"))
    assert.same({
      "/user/SYSTEM.md",
      "/base/APPEND_SYSTEM.md",
      "/p/.panto/APPEND_SYSTEM.md",
    }, found.files)
  end)

  it("uses the default where no layer has one", function()
    assert.equal("default", prompts.system(read({}), "default"))
    assert.equal("", prompts.system(read({})))
    assert.equal("built in", prompts.compaction(read({}), "built in"))
  end)

  it("takes the highest COMPACTION.md", function()
    local found = read({ ["/base/COMPACTION.md"] = "a", ["/p/.panto/COMPACTION.md"] = "b" })
    assert.equal("b", prompts.compaction(found))
  end)

  it("names a file that cannot be read", function()
    assert.same(
      { "/user/SYSTEM.md: cannot be read: permission denied" },
      read({ ["/user/SYSTEM.md"] = false }).warnings
    )
  end)
end)
