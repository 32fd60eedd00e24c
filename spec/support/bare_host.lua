-- Stands in for panto.host where specs run in a bare Lua: locks within the process, TOML by python3.

if package.loaded["panto.host"] then
  return package.loaded["panto.host"]
end

local host = {}
local held, next_id = {}, 0

function host.file_lock(path)
  if held[path] then
    return nil, path .. ": held by another process"
  end
  local file, message = io.open(path, "a")
  if not file then
    return nil, message
  end
  file:close()
  next_id = next_id + 1
  held[path], held[next_id] = next_id, path
  return next_id
end

function host.file_unlock(id)
  local path = held[id]
  if path then
    held[path], held[id] = nil, nil
  end
end

local PROGRAM = [[
import json, sys, tomllib
try:
    text = open(sys.argv[1], "rb").read().decode("utf-8")
    print("+" + json.dumps(tomllib.loads(text), default=str), end="")
except Exception as error:
    print("-" + str(error), end="")
]]

function host.toml_to_json(text)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
  local pipe = assert(io.popen(("python3 -S -E -c '%s' %s"):format(PROGRAM, name)))
  local answer = pipe:read("a")
  pipe:close()
  os.remove(name)
  if answer:sub(1, 1) == "+" then
    return answer:sub(2)
  end
  return nil, answer:sub(2)
end

package.loaded["panto.host"] = host
return host
