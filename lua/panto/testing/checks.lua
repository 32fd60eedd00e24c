-- What assert.NAME(…) says about its arguments: whether it holds, and what to tell when it does not.

local guard = require("panto.sys.guard")
local show = require("panto.testing.show")

-- Each gets its arguments, packed; how many of them are its own is in `arity`: one more is a message.
local checks = {}

--- How many arguments a check has.
---@type table<string, integer>
local arity = {}

local function define(names, count, check)
  for name in names:gmatch("%S+") do
    checks[name], arity[name] = check, count
  end
end

local function both(title, args)
  local text = "%s\n  expected: %s\n  got:      %s"
  return text:format(title, show.value(args[1], nil, "  "), show.value(args[2], nil, "  "))
end

define("equal equals", 2, function(args)
  return rawequal(args[1], args[2]) or args[1] == args[2], both("not equal", args)
end)

define("same", 2, function(args)
  local where = show.difference(args[1], args[2])
  local title = where and where ~= "" and "not the same, first at " .. where or "not the same"
  return where == nil, both(title, args)
end)

define("near", 3, function(args)
  local distance = math.abs(args[1] - args[2])
  return distance <= args[3], both(("farther than %s apart"):format(args[3]), args)
end)

define("matches match", 2, function(args)
  local is_text = type(args[2]) == "string"
  return is_text and args[2]:find(args[1]) ~= nil, both("the pattern does not match", args)
end)

define("contains", 2, function(args)
  local inside, whole = args[1], args[2]
  if type(whole) == "string" then
    return whole:find(inside, 1, true) ~= nil, both("the text does not contain it", args)
  end
  for _, value in pairs(type(whole) == "table" and whole or {}) do
    if show.difference(value, inside) == nil then
      return true, both("it is contained", args)
    end
  end
  return false, both("it is not contained", args)
end)

local function define_value(names, title, holds)
  define(names, 1, function(args)
    return holds(args[1]), ("%s\n  got:      %s"):format(title, show.value(args[1], nil, "  "))
  end)
end

define_value("true True", "not true", function(value)
  return value == true
end)
define_value("false False", "not false", function(value)
  return value == false
end)
define_value("nil Nil", "not nil", function(value)
  return value == nil
end)
define_value("truthy", "neither true nor a value", function(value)
  return value ~= nil and value ~= false
end)
define_value("falsy", "neither false nor nil", function(value)
  return value == nil or value == false
end)

for kind in ("string number table function boolean userdata thread"):gmatch("%a+") do
  define_value(kind, "not a " .. kind, function(value)
    return type(value) == kind
  end)
end

-- Errors carry the place in front: the wanted text may leave it out.
local function is_wanted(wanted, err)
  if show.difference(wanted, err) == nil then
    return true
  end
  local text = guard.show(err)
  return type(wanted) == "string" and (text == wanted or text:match("^.-:%d+: (.*)$") == wanted)
end

define("error errors", 2, function(args)
  local ok, err = pcall(args[1])
  if ok then
    return false, "it raised no error"
  end
  local text = guard.show(err)
  if args[2] == nil then
    return true, "it raised: " .. text
  end
  return is_wanted(args[2], err), both("another error", { args[2], text })
end)

define("error_matches error_match", 2, function(args)
  local ok, err = pcall(args[1])
  local text = ok and "" or guard.show(err)
  local title = ok and "it raised no error" or "the error does not match"
  return not ok and text:find(args[2]) ~= nil, both(title, { args[2], text })
end)

return { checks = checks, arity = arity }
