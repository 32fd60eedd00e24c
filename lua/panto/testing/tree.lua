-- A spec file into its tree of blocks and tests; nothing of the tests runs yet.

local assertions = require("panto.testing.assertions")
local fs = require("panto.sys.fs")
local testing = require("panto.testing")

local tree = {}

---@class panto.TestItem
---@field kind "block"|"test"|"pending"
---@field name string
---@field fn function?

---@class panto.TestBlock: panto.TestItem
---@field items panto.TestItem[]
---@field before_each function[]
---@field after_each function[]
---@field setup function[] run once, before the first test
---@field teardown function[]

---@class panto.SpecFile
---@field path string as it is shown
---@field root panto.TestBlock
---@field ends function[] what the running test wants done at its end
---@field is_running boolean

local HOOKS = { "before_each", "after_each", "setup", "teardown" }

local function new_block(name, fn)
  local block = { kind = "block", name = name, fn = fn, items = {} }
  for _, hook in ipairs(HOOKS) do
    block[hook] = {}
  end
  return block
end

local function check(kind, name, fn)
  if type(name) ~= "string" or type(fn) ~= "function" then
    error(('%s wants a name and a function: %s("…", function() … end)'):format(kind, kind), 3)
  end
end

local function add_items(self, words)
  local function describe(name, fn)
    check("describe", name, fn)
    local block, outer = new_block(name), self.block
    table.insert(outer.items, block)
    self.block = block
    fn()
    self.block = outer
  end
  local function it(name, fn)
    check("it", name, fn)
    table.insert(self.block.items, { kind = "test", name = name, fn = fn })
  end
  local function pending(name)
    if self.spec.is_running then -- inside of a test: the rest of it is left out
      error({ pending = name or "pending" }, 0)
    end
    table.insert(self.block.items, { kind = "pending", name = tostring(name) })
  end
  words.describe, words.context, words.insulate, words.expose =
    describe, describe, describe, describe
  words.it, words.test, words.spec = it, it, it
  words.pending = pending
end

local function add_hooks(self, words)
  for _, hook in ipairs(HOOKS) do
    words[hook] = function(fn)
      check(hook, hook, fn)
      table.insert(self.block[hook], fn)
    end
  end
  words.lazy_setup, words.strict_setup = words.setup, words.setup
  words.lazy_teardown, words.strict_teardown = words.teardown, words.teardown
  words.finally = function(fn)
    table.insert(self.spec.ends, fn)
  end
end

-- A spec file sees all globals, busted's words, and its own panto.testing.
local function environment(self, path)
  local words = { assert = assertions.new() }
  add_items(self, words)
  add_hooks(self, words)
  local bound = testing.bind(path, function(play)
    table.insert(self.spec.ends, function()
      play:close()
    end)
  end)
  words.require = function(name)
    return name == "panto.testing" and bound or require(name) -- luacheck: ignore 143
  end
  return setmetatable(words, { __index = _G, __newindex = _G })
end

--- Evaluates a spec file; what it raises is raised.
---@param path string absolute
---@param shown string how the path is written
---@return panto.SpecFile
function tree.read(path, shown)
  local text, message = fs.read(path)
  if not text then
    error(message, 0)
  end
  local spec = { path = shown, root = new_block(shown), ends = {}, is_running = false }
  local self = { spec = spec, block = spec.root }
  local chunk
  chunk, message = load(text:gsub("^#[^\n]*", ""), "@" .. path, "t", environment(self, path))
  if not chunk then
    error(message, 0)
  end
  chunk(fs.dirname(path))
  return spec
end

return tree
