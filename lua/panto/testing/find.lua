-- Paths of a command line into the spec files below them, sorted, each once.

local fs = require("panto.sys.fs")

local find = {}

local LEFT_OUT = { node_modules = true, [".git"] = true, [".venv"] = true, [".cache"] = true }

local function walk(folder, shown, found)
  for _, entry in ipairs(fs.list(folder) or {}) do
    local path, name = fs.join(folder, entry.name), fs.join(shown, entry.name)
    if entry.type == "directory" then
      local is_hidden = entry.name:sub(1, 1) == "." and entry.name ~= ".panto"
      if not is_hidden and not LEFT_OUT[entry.name] then
        walk(path, name, found)
      end
    elseif entry.name:find("_spec%.lua$") then
      found[#found + 1] = { path = path, shown = name }
    end
  end
end

--- Finds the spec files; nil and a message for a path that does not exist.
---@param words string[] files and folders; none is the current folder
---@param cwd string
---@return { path: string, shown: string }[]?
---@return string? message
function find.run(words, cwd)
  local found, seen, files = {}, {}, {}
  for _, word in ipairs(words[1] and words or { "." }) do
    local path = fs.expand(word, cwd)
    local stat, message = fs.stat(path)
    if not stat then
      return nil, message
    elseif stat.type == "directory" then
      walk(path, word == "." and "" or word, found)
    else
      found[#found + 1] = { path = path, shown = word }
    end
  end
  for _, file in ipairs(found) do
    if not seen[file.path] then
      seen[file.path] = true
      files[#files + 1] = file
    end
  end
  return files
end

return find
