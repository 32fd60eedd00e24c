-- Turns what stands before a row (quote bars, list marks, indents) into painted columns.
local text = require("panto.sys.text")

local lead = {}

---@alias panto.tui.Lead { [1]: string, [2]: string? }[] pieces with the names of their styles

local function plain_of(pieces)
  local parts = {}
  for index, piece in ipairs(pieces) do
    parts[index] = piece[1]
  end
  return table.concat(parts)
end

--- Returns how many columns it takes in a window of so many: half of them at most.
---@param pieces panto.tui.Lead
---@param width integer
---@return integer
function lead.width(pieces, width)
  return #pieces == 0 and 0 or math.min(text.width(plain_of(pieces)), width // 2)
end

--- Paints it.
---@param pieces panto.tui.Lead
---@param theme panto.tui.Theme
---@param width integer
---@return string
function lead.paint(pieces, theme, width)
  if #pieces == 0 then
    return ""
  end
  local parts = {}
  for index, piece in ipairs(pieces) do
    parts[index] = theme:paint(piece[2], piece[1])
  end
  return (text.cut(table.concat(parts), width // 2))
end

--- Returns a lead with one more piece.
---@param pieces panto.tui.Lead
---@param words string
---@param style string?
---@return panto.tui.Lead
function lead.extend(pieces, words, style)
  local longer = table.move(pieces, 1, #pieces, 1, {})
  longer[#longer + 1] = { words, style }
  return longer
end

return lead
