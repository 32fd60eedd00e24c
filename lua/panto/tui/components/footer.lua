-- Turns pieces of state into one line, some left and some right; the least goes first.
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")

local footer = {}

local Footer = {}
Footer.__index = Footer

local GAP = " · "

---@class panto.tui.FooterPiece
---@field text string
---@field priority integer? the lower, the sooner it is left out (default 5)
---@field style string? name of its style (default "footer")

---@class panto.tui.FooterOptions
---@field theme panto.tui.Theme
---@field left (string|panto.tui.FooterPiece)[]?
---@field right (string|panto.tui.FooterPiece)[]?

---@class panto.tui.Footer
---@field left panto.tui.FooterPiece[]
---@field right panto.tui.FooterPiece[]
---@field stamp string? whoever sets the pieces says what they were made of

local function pieces_of(list)
  local pieces = {}
  for _, piece in ipairs(list or {}) do
    local entry = type(piece) == "string" and { text = piece } or piece
    local shown = plain.clean(entry.text):gsub("\n", " ")
    if shown ~= "" then
      pieces[#pieces + 1] = {
        text = shown,
        priority = entry.priority or 5,
        style = entry.style or "footer",
        columns = text.width(shown),
      }
    end
  end
  return pieces
end

--- Makes the component.
---@param options panto.tui.FooterOptions
---@return panto.tui.Footer
function footer.new(options)
  local self = setmetatable({ theme = options.theme, left = {}, right = {} }, Footer)
  self:set(options.left, options.right)
  return self
end

--- Sets the pieces of both sides.
---@param left (string|panto.tui.FooterPiece)[]?
---@param right (string|panto.tui.FooterPiece)[]?
function Footer:set(left, right)
  self.left, self.right = pieces_of(left), pieces_of(right)
  self.drawn = nil
end

local function columns_of(pieces)
  local total = 0
  for index, piece in ipairs(pieces) do
    total = total + piece.columns + (index > 1 and 3 or 0)
  end
  return total
end

-- Where the least important piece is: its list and its index; later ones go first.
local function least_of(left, right)
  local list, index, priority
  for _, pieces in ipairs({ left, right }) do
    for at, piece in ipairs(pieces) do
      if not priority or piece.priority <= priority then
        list, index, priority = pieces, at, piece.priority
      end
    end
  end
  return list, index
end

local function painted(self, pieces)
  local parts = {}
  for index, piece in ipairs(pieces) do
    parts[index] = self.theme:paint(piece.style, piece.text)
  end
  return table.concat(parts, self.theme:paint("footer", GAP))
end

local function draw(self, width)
  local left = table.move(self.left, 1, #self.left, 1, {})
  local right = table.move(self.right, 1, #self.right, 1, {})
  local function needed()
    local gap = #left > 0 and #right > 0 and 2 or 0
    return columns_of(left) + gap + columns_of(right)
  end
  while needed() > width and #left + #right > 1 do
    local list, index = least_of(left, right)
    table.remove(list, index)
  end
  local line = painted(self, left)
  if #right > 0 then
    local space = math.max(0, width - columns_of(left) - columns_of(right))
    line = line .. (" "):rep(space) .. painted(self, right)
  end
  return (text.cut(line, width))
end

--- Renders the line.
---@param width integer
---@return string[]
function Footer:render(width)
  local drawn, starts = self.drawn, self.theme.starts
  if not drawn or drawn.width ~= width or drawn.starts ~= starts then
    drawn = { width = width, starts = starts, line = draw(self, width) }
    self.drawn = drawn
  end
  return { drawn.line }
end

return footer
