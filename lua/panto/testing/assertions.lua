-- busted's assert: assert(v), assert.equal(a, b), assert.is_not_nil(v), assert.are_not.same(a, b) …

local nearest = require("panto.base.nearest")
local list = require("panto.testing.checks")

local assertions = {}

local PASSING =
  { is = true, are = true, was = true, were = true, has = true, have = true, does = true }
local NEGATING = { ["not"] = true, no = true }

---@class panto.Failure
---@field message string
---@field trace string
local Failure = {}
Failure.__index = Failure

--- Gives its message, wherever it is printed.
---@return string
function Failure:__tostring()
  return self.message
end

--- Tells whether what was raised is a failed assertion, and no error.
---@param err any
---@return boolean
function assertions.is_failure(err)
  return getmetatable(err) == Failure
end

--- Raises a failed assertion.
---@param message string
function assertions.fail(message)
  error(setmetatable({ message = message, trace = debug.traceback("", 2) }, Failure), 0)
end

local function describe(args, name, told, negated)
  local custom = args[list.arity[name] + 1]
  if negated then
    told = ("it is so, but should not be: %s"):format(name) .. told:gsub("^[^\n]*", "", 1)
  end
  return custom ~= nil and ("%s\n%s"):format(tostring(custom), told) or told
end

local function build_check(name, negated)
  return function(...)
    local args = table.pack(...)
    local holds, told = list.checks[name](args)
    if holds == negated then
      assertions.fail(describe(args, name, told, negated))
    end
    return ...
  end
end

-- "is_not_nil" into "nil" and true; the name is nil when only words like "is_not" were there.
local function parse(key, negated)
  local rest = key
  while rest do
    if list.checks[rest] then
      return rest, negated
    end
    local word, after = rest:match("^(%a+)_(.+)$")
    word = word or rest
    if NEGATING[word] then
      negated = not negated
    elseif not PASSING[word] then
      return nil, nil
    end
    rest = after
  end
  return nil, negated
end

local function suggest(key)
  local names = {}
  for name in pairs(list.checks) do
    names[#names + 1] = name
  end
  local found = nearest.find(key, names, 1)[1]
  return found and (" (did you mean %s?)"):format(found) or ""
end

local function chain(negated)
  return setmetatable({}, {
    __index = function(_, key)
      local name, is_negated = parse(key, negated)
      if name then
        return build_check(name, is_negated)
      elseif is_negated == nil then
        error(("assert.%s is unknown here%s"):format(key, suggest(key)), 2)
      end
      return chain(is_negated)
    end,
    __call = function(_, value, message, ...)
      if not value then
        assertions.fail(message == nil and "assertion failed!" or tostring(message))
      end
      return value, message, ...
    end,
  })
end

--- Makes the table that a spec calls assert.
---@return table
function assertions.new()
  return chain(false)
end

return assertions
