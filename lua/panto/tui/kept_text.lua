-- Text that was live when a resize pushed it into the scrollback, where nothing can be taken back:
-- it stays there, and what is drawn later goes on behind it.
local ansi = require("panto.base.ansi")

local kept_text = {}

local Kept = {}
Kept.__index = Kept

---@class panto.tui.KeptText
---@field rest string what is still to be left out, without spaces and styles

local function bare(row)
  return (ansi.strip(row):gsub("%s+", ""))
end

--- Makes it of the rows that are kept, after those of an earlier one that were not left out yet.
---@param rows string[]
---@param count integer how many of the rows
---@param earlier panto.tui.KeptText?
---@return panto.tui.KeptText
function kept_text.new(rows, count, earlier)
  local texts = { earlier and earlier.rest or "" }
  for row = 1, count do
    texts[#texts + 1] = bare(rows[row])
  end
  return setmetatable({ rest = table.concat(texts) }, Kept)
end

-- The row without so many bytes of text at its beginning and the spaces there; styles stay.
local function behind(row, size)
  local styles = {}
  local at = 1
  while size > 0 do
    local stop = select(2, row:find("^\27%[[%d;:]*m", at))
      or select(2, row:find("^\27%]8;[ -~]-\27\\", at))
    if stop then
      styles[#styles + 1] = row:sub(at, stop)
    elseif not row:find("^%s", at) then
      size = size - 1
    end
    at = (stop or at) + 1
  end
  return table.concat(styles) .. row:sub(at):gsub("^%s+", "")
end

--- Leaves out of rows what is kept already.
---@param rows string[]
---@param count integer how many of them may hold it
---@param is_final boolean these rows will not come again
---@return string[] rows
---@return integer missing how many there are fewer
function Kept:cut(rows, count, is_final)
  local rest, index = self.rest, 1
  local row
  while rest ~= "" and index <= count do
    local text = bare(rows[index])
    if rest:sub(1, #text) == text then
      rest = rest:sub(#text + 1)
      index = index + 1
    else
      row = text:sub(1, #rest) == rest and behind(rows[index], #rest) or nil
      rest = ""
    end
  end
  if is_final then
    self.rest = rest
  end
  local result = table.move(rows, index, #rows, 1, {})
  if row then
    result[1] = row
  end
  return result, index - 1
end

return kept_text
