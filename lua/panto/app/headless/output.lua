-- Lines for standard output; a reader that went away is noticed, never an error.

---@class panto.headless.Output
---@field broken boolean nobody reads any more
---@field put fun(file: file*, text: string): file*? io's own method: what Lua code prints is captured
---@field on_broken fun()?
local Output = {}
Output.__index = Output

local output = {}

--- Makes the writer of standard output.
---@return panto.headless.Output
function output.new()
  return setmetatable({ broken = false, put = io.stdout.write }, Output)
end

--- Writes a text at once; false when nobody reads.
---@param text string
---@return boolean
function Output:write(text)
  if not self.broken and not (self.put(io.stdout, text) and io.stdout:flush()) then
    self.broken = true
    if self.on_broken then
      self.on_broken()
    end
  end
  return not self.broken
end

return output
