-- A finished file gets the name under which it counts: on disk first, so that a power cut leaves no empty one.

local fs = require("panto.sys.fs")

local settle = {}

--- Renames a file once its bytes are on disk.
---@param path string
---@param final string
---@return true?
---@return string? message
function settle.rename(path, final)
  local file, message = fs.append_open(path)
  local done
  if file then
    done, message = file:sync()
    file:close()
  end
  if not done then
    return nil, message
  end
  return fs.rename(path, final)
end

return settle
