-- A few letters and many paths into the paths that fit best.

---@class panto.Fuzzy
---@field paths string[]
---@field lower string[] the same in lower case, as far as they were searched
---@field last { query: string, fits: integer[], count: integer }? what the last query has found
local Fuzzy = {}
Fuzzy.__index = Fuzzy

local fuzzy = {}

local MOST_SCORED = 2000

-- The letters in order with anything between: every part stops at the next wanted letter, so that a
-- path that does not fit is given up in one pass.
local function pattern_of(query)
  local parts = { "^" }
  for letter in query:gmatch(utf8.charpattern) do
    if #letter == 1 then
      local plain = letter:gsub("%W", "%%%0")
      parts[#parts + 1] = "[^" .. plain .. "]*" .. plain
    else
      parts[#parts + 1] = ".-" .. letter
    end
  end
  return table.concat(parts)
end

-- Lower is better: in the name before in the folders, at its beginning, in one piece; then short ones.
local function score(query, path)
  local name_at = path:match("^.*()/[^/]") or 0
  local place = path:find(query, name_at + 1, true)
  local cost = 3000
  if place then
    cost = place == name_at + 1 and 0 or 500 + place - name_at
  elseif path:find(query, 1, true) then
    cost = 1500
  end
  return cost + #path
end

local function put(best, limit, entry)
  local slot = #best + 1
  while slot > 1 and entry.cost < best[slot - 1].cost do
    slot = slot - 1
  end
  if slot <= limit then
    table.insert(best, slot, entry)
    best[limit + 1] = nil
  end
end

--- Makes the finder of a list, which may grow.
---@param paths string[]
---@return panto.Fuzzy
function fuzzy.new(paths)
  return setmetatable({ paths = paths, lower = {} }, Fuzzy)
end

-- The places in the list where a query may fit: those of the last one when this one goes on from it.
local function candidates(self, wanted)
  local last = self.last
  if last and last.count == #self.paths and wanted:sub(1, #last.query) == last.query then
    return last.fits
  end
end

local function lower_all(self)
  for index = #self.lower + 1, #self.paths do
    self.lower[index] = self.paths[index]:lower()
  end
end

--- Returns the best fits, best first.
---@param query string
---@param limit integer
---@return string[]
function Fuzzy:find(query, limit)
  lower_all(self)
  local wanted, best, fits = query:lower(), {}, {}
  local pattern, lower = pattern_of(wanted), self.lower
  local ending = wanted:sub(-1) -- most of what does not fit lacks it, and this is found out fast
  local places = candidates(self, wanted)
  for at = 1, places and #places or #lower do
    local index = places and places[at] or at
    local path = lower[index]
    if path:find(ending, 1, true) and path:find(pattern) then
      put(best, limit, { path = self.paths[index], cost = score(wanted, path) })
      fits[#fits + 1] = index
      if #fits == MOST_SCORED then
        break
      end
    end
  end
  local is_whole = #fits < MOST_SCORED
  self.last = is_whole and { query = wanted, fits = fits, count = #self.paths } or nil
  local found = {}
  for index, entry in ipairs(best) do
    found[index] = entry.path
  end
  return found
end

return fuzzy
