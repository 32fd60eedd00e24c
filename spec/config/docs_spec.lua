require("bare_host")
local keys = require("panto.config.keys")
local read = require("panto.config.read")
local select_model = require("panto.config.select")
local toml = require("panto.sys.toml")

local function page(name)
  local root = package.searchpath("panto.config.read", package.path):match("^(.*)lua/panto/") or ""
  local file <close> = assert(io.open(root .. "docs/" .. name))
  return file:read("a")
end

-- The examples of docs/providers.md: { title, config text, models text or nil } in order.
local function examples()
  local text = page("providers.md")
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

-- The names of all keys below a shape, those of a provider's login left out.
local function key_names(shape, list)
  for name, field in pairs(shape.fields or {}) do
    if not field.gone then
      list[#list + 1] = name
      key_names(field, list)
    end
  end
  if shape.each and not shape.open then
    key_names(shape.each, list)
  end
  return list
end

describe("docs/config.md", function()
  local text = page("config.md")

  it("has an example that can be read without a warning", function()
    local config = text:match("```toml\n(# config%.toml\n.-)```")
    local models = text:match("```toml\n(# models%.toml\n.-)```")
    local loaded = assert(load({ config = config, models = models }))
    assert.same({}, loaded.warnings)
    local choice = assert(select_model.model(loaded))
    assert.equal("coder-30b", choice.model.model)
  end)

  it("names every key", function()
    local sections = {}
    for name, section in pairs(keys.CONFIG.fields) do
      sections[#sections + 1] = name
      if name ~= "providers" and name ~= "auth" and name ~= "keys" then
        key_names(section, sections)
      end
    end
    for _, name in ipairs(key_names(keys.MODELS.each, sections)) do
      assert.truthy(text:find("%f[%w_]" .. name .. "%f[^%w_]"), name)
    end
  end)

  it("and docs/providers.md names every key of a provider and of a login", function()
    local providers = page("providers.md")
    local list = key_names(keys.CONFIG.fields.providers, {})
    for _, name in ipairs(key_names(keys.CONFIG.fields.auth.each, list)) do
      assert.truthy(providers:find("%f[%w_]" .. name .. "%f[^%w_]"), name)
    end
  end)
end)
