-- Keeps the prompts that were sent, newest last: walking through them and searching them.
local history = {}

local History = {}
History.__index = History

local MAX_ENTRIES = 1000

---@class panto.tui.History
---@field entries string[]
---@field at integer the entry that is shown; one past the last while none is
---@field draft any what was being written before the walk began

--- Makes a history of the given prompts, oldest first.
---@param entries string[]?
---@return panto.tui.History
function history.new(entries)
  local self = setmetatable({ entries = {}, at = 1, draft = nil }, History)
  for _, entry in ipairs(entries or {}) do
    self:add(entry)
  end
  return self
end

--- Adds a sent prompt; an empty one and the repetition of the last are left out.
---@param entry string
---@return boolean added
function History:add(entry)
  local is_new = entry:find("%S") ~= nil and entry ~= self.entries[#self.entries]
  if is_new then
    self.entries[#self.entries + 1] = entry
    if #self.entries > MAX_ENTRIES then
      table.remove(self.entries, 1)
    end
  end
  self.at, self.draft = #self.entries + 1, nil
  return is_new
end

--- Goes to the older entry and returns it, nil at the oldest; keeps the draft for the way back.
---@param draft any
---@return string? entry
function History:older(draft)
  if self.at <= 1 then
    return nil
  end
  if self.at > #self.entries then
    self.draft = draft
  end
  self.at = self.at - 1
  return self.entries[self.at]
end

--- Goes to the newer entry: returns it, or nothing and the kept draft past the newest.
---@return string? entry
---@return any draft
function History:newer()
  if self.at > #self.entries then
    return nil, nil
  end
  self.at = self.at + 1
  if self.at > #self.entries then
    return nil, self.draft
  end
  return self.entries[self.at], nil
end

--- Returns the entries that contain all words of the query, newest first, each once.
---@param query string
---@param limit integer?
---@return string[]
function History:search(query, limit)
  local found, seen = {}, {}
  local words = {}
  for word in query:lower():gmatch("%S+") do
    words[#words + 1] = word
  end
  for index = #self.entries, 1, -1 do
    local entry = self.entries[index]
    local lower, fits = entry:lower(), not seen[entry]
    for _, word in ipairs(words) do
      fits = fits and lower:find(word, 1, true) ~= nil
    end
    if fits then
      seen[entry] = true
      found[#found + 1] = entry
      if #found == (limit or math.huge) then
        break
      end
    end
  end
  return found
end

return history
