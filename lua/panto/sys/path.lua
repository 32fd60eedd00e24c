-- Path texts: join, parent, last name, home, absolute. Nothing here touches the disk but the home lookup.

local uv = require("luv")

local path = {}

--- Joins parts with "/"; an absolute later part starts anew.
---@param first string
---@param ... string
---@return string
function path.join(first, ...)
  local result = first
  for _, part in ipairs({ ... }) do
    if part:sub(1, 1) == "/" then
      result = part
    elseif result == "" or result:sub(-1) == "/" then
      result = result .. part
    else
      result = result .. "/" .. part
    end
  end
  return result
end

--- Returns the folder part of a path ("." when there is none).
---@param name string
---@return string
function path.dirname(name)
  local parent = name:gsub("/+$", ""):match("^(.*)/[^/]*$")
  if parent == nil then
    return "."
  end
  return parent == "" and "/" or parent
end

--- Returns the last name of a path.
---@param name string
---@return string
function path.basename(name)
  return name:gsub("/+$", ""):match("([^/]*)$")
end

--- Returns the user's home folder.
---@return string
function path.home()
  local home = os.getenv("HOME") or uv.os_homedir()
  return home and home ~= "" and home or "/"
end

--- Makes a path absolute: "~" and "~/x" are the home folder, relative ones start at `cwd`; "." and ".." are folded.
---@param name string
---@param cwd string
---@return string
function path.expand(name, cwd)
  if name == "~" or name:sub(1, 2) == "~/" then
    name = path.home() .. name:sub(2)
  end
  local parts = {}
  for part in path.join(cwd, name):gmatch("[^/]+") do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return "/" .. table.concat(parts, "/")
end

return path
