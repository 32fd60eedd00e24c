require("bare_host")
local fs = require("panto.sys.fs")
local task = require("panto.sys.task")
local walk = require("panto.app.files.walk")

local function write_all(root, files)
  for name, text in pairs(files) do
    assert(fs.write(fs.join(root, name), text, { parents = true }))
  end
end

local function paths_of(root)
  return task.loop(function()
    local found = {}
    walk.run(root, found)
    table.sort(found)
    return found
  end)
end

local function new_folder()
  local root = os.tmpname()
  os.remove(root)
  assert(fs.mkdir(root))
  return root
end

describe("files.walk", function()
  it("leaves out what the nearest .gitignore says, also the ones above the folder", function()
    local root = new_folder()
    write_all(root, {
      [".git/info/exclude"] = "secret\n",
      [".gitignore"] = "*.log\n/part/out\n",
      ["part/.gitignore"] = "build/\n!keep.log\n",
      ["part/a.lua"] = "",
      ["part/keep.log"] = "",
      ["part/x.log"] = "",
      ["part/out/b.lua"] = "",
      ["part/build/c.lua"] = "",
      ["part/sub/build"] = "a file",
      ["part/secret"] = "",
    })
    assert.same({
      ".gitignore",
      "a.lua",
      "keep.log",
      "sub/",
      "sub/build",
    }, paths_of(fs.join(root, "part")))
  end)

  it("comes back from a folder that cannot be read", function()
    assert.same({}, paths_of("/nonexistent/folder"))
  end)
end)
