-- Joins pieces of a text that came at once: a flood of small ones costs as little as one large one.

local pieces = {}

-- So few are handed on as they came; whoever looks at single ones has slow streams or short scripts.
local FLOOD = 16

local IS_PIECE = { text_delta = true, thinking_delta = true, tool_call_delta = true }

-- The last of the pieces that go on with the one at `first`.
local function last_like(items, first)
  local item, last = items[first], first
  while true do
    local after = items[last + 1]
    local goes_on = after
      and after.type == item.type
      and after.field == item.field
      and after.index == item.index
    if not goes_on then
      return last
    end
    last = last + 1
  end
end

--- Returns the items that came together; when they are many, pieces of one text as one item.
---@param items panto.Item[]
---@return panto.Item[]
function pieces.join(items)
  if #items < FLOOD then
    return items
  end
  local joined, at = {}, 1
  while at <= #items do
    local item = items[at]
    local last = IS_PIECE[item.type] and last_like(items, at) or at
    if last > at then
      local texts = {}
      for index = at, last do
        texts[index - at + 1] = items[index].delta
      end
      item = { type = item.type, field = item.field, index = item.index }
      item.delta = table.concat(texts)
    end
    joined[#joined + 1] = item
    at = last + 1
  end
  return joined
end

return pieces
