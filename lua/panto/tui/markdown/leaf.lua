-- Turns the text of one block, which may still grow, into rows; those that are final can be taken.
-- It is looked at in windows of a fixed size, so that a block of any length costs the same per byte.
local flow = require("panto.tui.markdown.flow")
local inline = require("panto.tui.markdown.inline")
local lead = require("panto.tui.markdown.lead")

local leaf = {}

local Leaf = {}
Leaf.__index = Leaf

local WINDOW = 4096
local HELD_BYTES = 1024

---@class panto.tui.LeafOptions
---@field source string
---@field first panto.tui.Lead what the first row begins with
---@field rest panto.tui.Lead what the other rows begin with
---@field base string? name of the style of all of it
---@field runs panto.tui.Run[]? it is a line of code with these runs
---@field is_code boolean? it is a line of code

---@class panto.tui.Leaf: panto.tui.LeafOptions
---@field is_open boolean
---@field lines integer how many lines it has

--- Makes the leaf, open.
---@param options panto.tui.LeafOptions
---@return panto.tui.Leaf
function leaf.new(options)
  return setmetatable({
    source = options.source,
    first = options.first,
    rest = options.rest,
    base = options.base,
    runs = options.runs,
    is_code = options.is_code,
    is_open = true,
    lines = 1,
  }, Leaf)
end

--- Adds text to its last line.
---@param s string
function Leaf:append(s)
  self.source = self.source .. s
end

--- Adds a line.
---@param line string
function Leaf:add_line(line)
  self.source = self.source .. "\n" .. line
  self.lines = self.lines + 1
end

--- Returns a copy that can be rendered without a change of this one.
---@return panto.tui.Leaf
function Leaf:copy()
  local copy = {}
  for key, value in pairs(self) do
    copy[key] = value
  end
  return setmetatable(copy, Leaf)
end

local function read(self, window, is_open, theme)
  if self.is_code then
    local runs = self.runs or { { last = #window, source = 1, style = "code_text" } }
    return { text = window, runs = runs, stable = #window }
  end
  return inline.parse(window, {
    is_open = is_open,
    before = self.before,
    has_links = theme.has_links,
    has_styles = theme.depth ~= "none",
  })
end

local function is_bare(run)
  return not (run.strong or run.emphasis or run.strike or run.code or run.link or run.address)
end

-- The byte of the source at which a row begins; nil inside of something that must stay whole.
local function source_of(shown, first, is_forced)
  local before = 0
  for _, run in ipairs(shown.runs) do
    if first <= run.last then
      local is_free = is_forced or run.style or is_bare(run)
      return is_free and run.source + first - before - 1 or nil
    end
    before = run.last
  end
  return nil
end

-- How many leading rows are final, and where the next one begins in the source.
local function final_rows(shown, rows, is_cut)
  for row = #rows, 2, -1 do
    if rows[row][1] <= shown.stable + 1 then
      local at = source_of(shown, rows[row][1], false)
      if at then
        return row - 1, at
      end
    end
  end
  if not is_cut then
    return 0
  end
  for row = #rows, 2, -1 do
    local at = source_of(shown, rows[row][1], true)
    if at and at > 1 then
      return row - 1, at
    end
  end
  return #rows, WINDOW + 1
end

local function emit(self, out, shown, rows, count, theme, width)
  local at = 1
  for row = 1, count do
    local first, last = rows[row][1], rows[row][2]
    local painted
    painted, at = flow.paint(theme, shown, first, last, self.base, at)
    local start = lead.paint(self.is_begun and self.rest or self.first, theme, width)
    out[#out + 1] = last < first and start:find("^ *$") and "" or start .. painted
    self.is_begun = true
  end
end

-- A window's text and where its rows are. What was found out last is kept: of an open block first the
-- final rows are taken and then, in the same frame, the others drawn.
local function shape(self, window, is_open, theme, width)
  local kept = self.kept
  local is_same = kept
    and kept.window == window
    and kept.is_open == is_open
    and kept.width == width
    and kept.before == self.before
    and kept.starts == theme.starts
  if not is_same then
    kept = {
      window = window,
      is_open = is_open,
      width = width,
      before = self.before,
      starts = theme.starts,
    }
    kept.shown = read(self, window, is_open, theme)
    local columns = math.max(1, width - lead.width(self.rest, width))
    kept.rows = (self.is_code and flow.code_rows or flow.rows)(kept.shown.text, columns)
    self.kept = kept
  end
  return kept.shown, kept.rows
end

-- Looks at one window; true when rows came out of it and there is more to look at.
local function advance(self, out, theme, width)
  local is_cut = #self.source > WINDOW
  local window = is_cut and self.source:sub(1, WINDOW) or self.source
  local is_open = self.is_open or is_cut
  local shown, rows = shape(self, window, is_open, theme, width)
  if not is_open then
    emit(self, out, shown, rows, #rows, theme, width)
    self.source = ""
    return false
  end
  local count, at = final_rows(shown, rows, is_cut)
  if count == 0 then
    return false
  end
  emit(self, out, shown, rows, count, theme, width)
  self.before = self.source:byte(at - 1)
  self.source = self.source:sub(at)
  return true
end

local function is_held(self)
  return self.is_open and self.lines == 1 and #self.source <= HELD_BYTES and not self.is_begun
end

--- Takes the rows that are final; all of them once it is closed.
---@param out string[]
---@param theme panto.tui.Theme
---@param width integer
function Leaf:take(out, theme, width)
  if is_held(self) and not self.is_code then
    return
  end
  -- An open leaf that is as it was has nothing new to give.
  local seen = self.is_open and width .. ":" .. #self.source
  if seen and seen == self.seen then
    return
  end
  while advance(self, out, theme, width) do
  end
  self.seen = self.is_open and width .. ":" .. #self.source
end

local function show_open(self, out, theme, width)
  local shown, rows = shape(self, self.source, true, theme, width)
  emit(self, out, shown, rows, #rows, theme, width)
end

--- Renders all rows that were not taken.
---@param out string[]
---@param theme panto.tui.Theme
---@param width integer
function Leaf:render(out, theme, width)
  local copy = self:copy()
  while not (copy.is_open and #copy.source <= WINDOW) and advance(copy, out, theme, width) do
  end
  if copy.is_open then
    show_open(copy, out, theme, width)
  end
end

return leaf
