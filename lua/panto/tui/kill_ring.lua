-- Keeps the texts that were cut from the draft, newest last, for yanking them back.
local kill_ring = {}

local Ring = {}
Ring.__index = Ring

local MAX_TEXTS = 60

---@class panto.tui.KillRing
---@field texts string[]
---@field at integer which text a yank gives

--- Makes an empty ring.
---@return panto.tui.KillRing
function kill_ring.new()
  return setmetatable({ texts = {}, at = 0 }, Ring)
end

--- Puts a cut text on the ring; `join` adds it to the last one, after it or before it.
---@param text string
---@param join "after"|"before"|nil
function Ring:add(text, join)
  if text == "" then
    return
  end
  local count = #self.texts
  if join and count > 0 then
    local last = self.texts[count]
    self.texts[count] = join == "after" and last .. text or text .. last
  else
    self.texts[count + 1] = text
    if count + 1 > MAX_TEXTS then
      table.remove(self.texts, 1)
    end
  end
  self.at = #self.texts
end

--- Returns the text a yank puts in, nil when nothing was ever cut.
---@return string?
function Ring:get()
  return self.texts[self.at]
end

--- Goes to the text before, around the ring, and returns it.
---@return string?
function Ring:rotate()
  if #self.texts > 0 then
    self.at = (self.at - 2) % #self.texts + 1
  end
  return self.texts[self.at]
end

return kill_ring
