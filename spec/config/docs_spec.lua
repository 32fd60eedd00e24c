require("bare_host")
local read = require("panto.config.read")
local select_model = require("panto.config.select")
local toml = require("panto.sys.toml")

-- The examples of docs/providers.md: { title, config text, models text or nil } in order.
local function examples()
  local root = package.searchpath("panto.config.read", package.path):match("^(.*)lua/panto/") or ""
  local file = assert(io.open(root .. "docs/providers.md"))
  local text = file:read("a")
  file:close()
  local list = {}
  for section in text:gsub("\n##", "\0"):gmatch("%z([^%z]+)") do
    local blocks = {}
    for block in section:gmatch("```toml\n(.-)```") do
      blocks[#blocks + 1] = block
    end
    if blocks[1] then
      local title = section:match("^#? ([^\n]+)")
      list[#list + 1] = { title = title, config = blocks[1], models = blocks[2] }
    end
  end
  return list
end

local function load(example)
  local texts = { user = example.config, models = example.models }
  return read.load({
    paths = { base = "base", user = "user", project = "p", project_local = "l", models = "models" },
    read_file = function(path)
      if texts[path] then
        return texts[path]
      end
      return nil, path .. ": no such file or directory", "ENOENT"
    end,
    getenv = function()
      return "set"
    end,
    decode_toml = toml.decode,
  })
end

describe("the examples of docs/providers.md", function()
  it("are seven", function()
    assert.equal(7, #examples())
  end)

  for _, example in ipairs(examples()) do
    it("can be read without a warning and have a model: " .. example.title, function()
      local config = assert(load(example))
      assert.same({}, config.warnings)
      local choice = assert(select_model.model(config))
      assert.equal(not example.models, choice.model.context_window == nil)
      for _, session in pairs(config.auth) do
        for _, value in pairs(session) do
          assert.falsy(type(value) == "string" and value:find("${", 1, true))
        end
      end
    end)
  end
end)
