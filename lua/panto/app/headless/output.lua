-- Lines for standard output; what goes wrong there is told once, and nothing more is written.

---@class panto.headless.Output
---@field broken boolean nobody reads any more
---@field put fun(file: file*, text: string): file*? io's own method: what Lua code prints is captured
---@field on_broken fun()?
local Output = {}
Output.__index = Output

local output = {}

-- Taken before anything stands in its place: what extensions write goes elsewhere.
local write = getmetatable(io.stdout).__index.write

--- Makes the writer of standard output.
---@return panto.headless.Output
function output.new()
  return setmetatable({ broken = false, put = io.stdout.write }, Output)
end

-- The first problem is what counts.
local function try(text)
  local done, message = write(io.stdout, text)
  if done then
    done, message = io.stdout:flush()
  end
  return not done and message or nil
end

--- Writes a text at once; false when nobody reads, or it cannot be written.
---@param text string
---@return boolean
function Output:write(text)
  local problem = not self.broken and try(text)
  if problem then
    self.broken = true
    self.on_broken(problem)
  end
  return not self.broken
end

return output
