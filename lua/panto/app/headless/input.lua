-- JSON lines from standard input into prompts, steering and aborts of a running headless session.

local json = require("panto.base.json")
local stdin = require("panto.sys.stdin")
local nearest = require("panto.base.nearest")

local input = {}

local KINDS = { "prompt", "steer", "abort" }

local function lines(chunks)
  local rest, at = "", 1
  return function()
    while rest do
      local stop = rest:find("\n", at, true)
      if stop then
        local line = rest:sub(at, stop - 1)
        at = stop + 1
        return line
      end
      local chunk = chunks()
      if not chunk then
        local line = rest:sub(at)
        rest = nil
        return line ~= "" and line or nil
      end
      rest, at = rest:sub(at) .. chunk, 1
    end
  end
end

--- Reads one line; nil and what is wrong with it.
---@param line string
---@return { type: string, text: string? }?
---@return string? message
function input.parse(line)
  local value, message = json.decode(line)
  if value == nil then
    return nil, "is no JSON: " .. message
  elseif type(value) ~= "table" or type(value.type) ~= "string" then
    return nil, 'must be an object with a type, such as {"type":"prompt","text":"…"}'
  end
  local kind = value.type
  if kind ~= "prompt" and kind ~= "steer" and kind ~= "abort" then
    local near = nearest.find(kind, KINDS, 1)[1]
    local hint = near and (' (did you mean "%s"?)'):format(near) or ""
    return nil, ('has the type "%s"%s; known: %s'):format(kind, hint, table.concat(KINDS, ", "))
  elseif kind ~= "abort" and (type(value.text) ~= "string" or value.text == "") then
    return nil, ("is a %s without a text"):format(kind)
  end
  return value
end

--- Reads standard input to its end; each object goes to `take`, each bad line to `refuse`.
---@param take fun(object: { type: string, text: string? })
---@param refuse fun(message: string)
function input.read(take, refuse)
  local number = 0
  for line in lines(stdin.chunks()) do
    number = number + 1
    if line:find("%S") then
      local object, message = input.parse(line)
      if object then
        take(object)
      else
        refuse(("line %d of the input %s"):format(number, message))
      end
    end
  end
end

return input
