-- Keeps what a component rendered until its width or its content changes.
local cache = {}

local Cache = {}
Cache.__index = Cache

---@class panto.tui.Cache
---@field width integer?
---@field lines string[]?

--- Makes an empty cache.
---@return panto.tui.Cache
function cache.new()
  return setmetatable({ width = nil, lines = nil }, Cache)
end

--- Returns the kept lines for this width, or makes and keeps them.
---@param width integer
---@param make fun(width: integer): string[]
---@return string[]
function Cache:get(width, make)
  if self.width ~= width or not self.lines then
    self.width, self.lines = width, make(width)
  end
  return self.lines
end

--- Forgets the kept lines.
function Cache:clear()
  self.lines = nil
end

return cache
