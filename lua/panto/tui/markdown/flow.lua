-- Turns words with runs into painted rows of at most so many columns.
local links = require("panto.tui.markdown.links")
local text = require("panto.sys.text")

local byte, find, sub = string.byte, string.find, string.sub

local flow = {}

local RESET = "\27[0m"

local function start_of(theme, run, base)
  local start = theme:get(base)
  if run.style then
    return start .. theme:get(run.style)
  end
  if run.strong then
    start = start .. theme:get("strong")
  end
  if run.emphasis then
    start = start .. theme:get("emphasis")
  end
  if run.strike then
    start = start .. theme:get("strike")
  end
  if run.code then
    start = start .. theme:get("code")
  end
  if run.link then
    start = start .. theme:get("link")
  elseif run.address then
    start = start .. theme:get("muted")
  end
  return start
end

local function paint_piece(theme, piece, run, base)
  local start = start_of(theme, run, base)
  if start ~= "" then
    piece = start .. piece .. RESET
  end
  if run.href and theme.has_links then
    piece = "\27]8;;" .. links.encode(run.href) .. "\27\\" .. piece .. "\27]8;;\27\\"
  end
  return piece
end

--- Paints the bytes `first` to `last` of a text by its runs.
---@param theme panto.tui.Theme
---@param shown panto.tui.Inline
---@param first integer
---@param last integer
---@param base string? name of the style under all runs
---@param at integer? index of a run from which on to look
---@return string painted
---@return integer at index of the run that holds `last`
function flow.paint(theme, shown, first, last, base, at)
  local runs = shown.runs
  at = at or 1
  while runs[at] and runs[at].last < first do
    at = at + 1
  end
  local pieces = {}
  while first <= last do
    local run = runs[at]
    local stop = run and math.min(run.last, last) or last
    pieces[#pieces + 1] = paint_piece(theme, sub(shown.text, first, stop), run or {}, base)
    first = stop + 1
    if run and stop == run.last and first <= last then
      at = at + 1
    end
  end
  return table.concat(pieces), at
end

local function add_spans(list, s, first, last, cols)
  local line = first == 1 and last == #s and s or sub(s, first, last)
  local starts, stops = text.spans(line, cols)
  for row = 1, #starts do
    list[#list + 1] = { starts[row] + first - 1, stops[row] + first - 1 }
  end
end

--- Finds the rows of a text that may hold newlines: first and last byte of each.
---@param s string
---@param cols integer
---@return integer[][]
function flow.rows(s, cols)
  local list, from = {}, 1
  while true do
    local stop = find(s, "\n", from, true)
    local last = (stop or #s + 1) - 1
    while last > from and byte(s, last) == 32 do
      last = last - 1
    end
    add_spans(list, s, from, last, cols)
    if not stop then
      return list
    end
    from = stop + 1
  end
end

--- Finds the rows of a line of code: cut at the edge, no space is lost.
---@param s string
---@param cols integer
---@return integer[][]
function flow.code_rows(s, cols)
  local list = {}
  if text.is_plain(s) then
    for first = 1, math.max(#s, 1), cols do
      list[#list + 1] = { first, math.min(first + cols - 1, #s) }
    end
    return list
  end
  local first, columns = 1, 0
  for _, wide, at in text.graphemes(s) do
    if columns + wide > cols and columns > 0 then
      list[#list + 1] = { first, at - 1 }
      first, columns = at, 0
    end
    columns = columns + wide
  end
  list[#list + 1] = { first, #s }
  return list
end

return flow
