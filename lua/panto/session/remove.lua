-- A session's file out of the world, with what stands beside it.

local fs = require("panto.sys.fs")
local log = require("panto.session.log")

local remove = {}

--- Deletes a session: its file, its torn lines, the files kept for undo. One that is open elsewhere
--- stays.
---@param path string
---@return true?
---@return string? message
function remove.run(path)
  local opened, message, is_locked = log.open(path)
  if is_locked then
    return nil, message
  end
  local stem = path:gsub("%.jsonl$", "")
  local folder, name = fs.dirname(path), fs.basename(path)
  for _, kept in ipairs(fs.list(stem .. ".undo") or {}) do
    fs.remove(fs.join(stem .. ".undo", kept.name))
  end
  fs.remove(stem .. ".undo")
  for _, entry in ipairs(fs.list(folder) or {}) do
    if entry.name:sub(1, #name + 6) == name .. ".torn-" then
      fs.remove(fs.join(folder, entry.name))
    end
  end
  local ok
  ok, message = fs.remove(path)
  if opened then
    opened:close()
  end
  return ok, message
end

return remove
