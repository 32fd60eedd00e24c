-- The end of a session file: whether its last line is whole.

local record = require("panto.session.record")
local scan = require("panto.session.scan")

local ending = {}

---@class panto.session.Ending
---@field size integer bytes that are good
---@field torn string? what follows them: a line whose writing was cut short
---@field unended boolean the last line is whole but lacks its line end

--- Looks at what follows a file's last line end.
---@param read panto.session.Read
---@param first integer where the records begin
---@param size integer
---@return panto.session.Ending
function ending.read(read, first, size)
  local tail, at = scan.backward(read, first, size)()
  if not tail or tail == "" then
    return { size = size, unended = false }
  elseif record.decode(tail) and record.parse(tail) then
    return { size = size, unended = true }
  end
  return { size = at, torn = tail, unended = false }
end

return ending
