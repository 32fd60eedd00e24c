local folder = require("panto.session.folder")

describe("the folder of sessions", function()
  it("is readable", function()
    assert.equal("+home+me+my-project_1.0", folder.encode("/home/me/my-project_1.0"))
    assert.equal("+home+日本", folder.encode("/home/日本"))
    assert.equal("/s/+a", folder.path("/s/", "/a"))
  end)

  it("never mistakes two paths for one", function()
    local seen = {}
    local long = "/" .. ("x"):rep(300)
    local paths =
      { "/a/b", "/a+b", "/a%2Bb", "/a b", "/a\nb", "/a\xffb", "/", "/a~b", long, long .. "y" }
    for _, path in ipairs(paths) do
      local name = folder.encode(path)
      assert.is_nil(seen[name], name)
      assert.is_nil(name:find("[/%c\xff]"))
      assert.is_true(#name <= 180)
      seen[name] = true
    end
  end)
end)
