-- Turns a list of choices into rows with one selected, filtered by what is typed.
local plain = require("panto.tui.plain")
local text = require("panto.sys.text")
local key_event = require("panto.tui.key_event")

local select_list = {}

local MAX_TITLE_ROWS = 12

local List = {}
List.__index = List

---@class panto.tui.Choice
---@field label string
---@field description string?
---@field value any? what choosing it gives (default: the label)

---@class panto.tui.SelectListOptions
---@field items panto.tui.Choice[]
---@field title string?
---@field theme panto.tui.Theme
---@field max_rows integer? most rows of choices shown (default 8)
---@field selected any? the value that is selected at first
---@field has_filter boolean? whether typed text filters (default true)

---@class panto.tui.SelectList
---@field query string
---@field found panto.tui.Choice[]
---@field at integer

local function value_of(item)
  if item.value == nil then
    return item.label
  end
  return item.value
end

--- Makes a list.
---@param options panto.tui.SelectListOptions
---@return panto.tui.SelectList
function select_list.new(options)
  local self = setmetatable({
    items = options.items,
    title = options.title,
    theme = options.theme,
    max_rows = options.max_rows or 8,
    has_filter = options.has_filter ~= false,
    query = "",
    found = options.items,
    at = 1,
  }, List)
  for index, item in ipairs(self.items) do
    if options.selected ~= nil and value_of(item) == options.selected then
      self.at = index
    end
  end
  return self
end

-- How well the letters of the query fit, in order, into a text: lower is better, nil not at all.
local function score(query, candidate)
  local start = candidate:find(query, 1, true)
  if start then
    return start
  end
  local from, cost = 1, 1000
  for index = 1, #query do
    local place = candidate:find(query:sub(index, index), from, true)
    if not place then
      return nil
    end
    cost, from = cost + place - from, place + 1
  end
  return cost
end

--- Filters the choices by a text; the best fits come first.
---@param query string
function List:set_query(query)
  self.query, self.at = query, 1
  if query == "" then
    self.found = self.items
    return
  end
  local ranked, wanted = {}, query:lower()
  for index, item in ipairs(self.items) do
    local candidate = (item.label .. " " .. (item.description or "")):lower()
    local cost = score(wanted, candidate)
    if cost then
      ranked[#ranked + 1] = { item = item, cost = cost, index = index }
    end
  end
  table.sort(ranked, function(one, other)
    if one.cost ~= other.cost then
      return one.cost < other.cost
    end
    return one.index < other.index
  end)
  self.found = {}
  for index, entry in ipairs(ranked) do
    self.found[index] = entry.item
  end
end

--- Returns the selected choice, nil when nothing fits the filter.
---@return panto.tui.Choice?
function List:get()
  return self.found[self.at]
end

--- Moves the selection, around the ends.
---@param by integer
function List:move(by)
  if #self.found > 0 then
    self.at = (self.at - 1 + by) % #self.found + 1
  end
end

local STEPS = { up = -1, down = 1, ["ctrl+p"] = -1, ["ctrl+n"] = 1, ["shift+tab"] = -1, tab = 1 }

local function filter_key(self, event, name)
  if not self.has_filter then
    return
  end
  if event.text then
    self:set_query(self.query .. event.text)
  elseif name == "backspace" then
    local stop = utf8.offset(self.query, -1)
    self:set_query(stop and self.query:sub(1, stop - 1) or "")
  elseif name == "ctrl+u" then
    self:set_query("")
  end
end

--- Takes an event; returns what was chosen, that it was cancelled, or nothing yet.
---@param event table
---@return { chosen: any, item: panto.tui.Choice }|{ cancel: true }|nil
function List:handle(event)
  if event.type == "paste" and self.has_filter then
    self:set_query(self.query .. plain.clean(event.text):gsub("%s+", " "))
  end
  if event.type ~= "key" then
    return nil
  end
  local name = key_event.name(event)
  if name == "enter" or name == "ctrl+m" then
    local item = self:get()
    return item and { chosen = value_of(item), item = item } or nil
  elseif name == "escape" or name == "ctrl+c" then
    return { cancel = true }
  elseif STEPS[name] then
    self:move(STEPS[name])
  elseif name == "page_up" or name == "page_down" then
    local by = name == "page_up" and -self.max_rows or self.max_rows
    self.at = math.min(math.max(self.at + by, 1), math.max(#self.found, 1))
  else
    filter_key(self, event, name)
  end
  return nil
end

local function row_of(self, index, label_width, width)
  local item, theme = self.found[index], self.theme
  local is_selected = index == self.at
  local room = item.description and label_width or width
  local label = text.cut(plain.reveal(item.label), room)
  local row = (is_selected and "› " or "  ") .. label
  row = theme:paint(is_selected and "selected" or nil, row)
  if item.description then
    local description = plain.reveal(item.description):gsub("\n.*", "")
    local pad = (" "):rep(label_width - text.width(label))
    row = row .. pad .. "  " .. theme:paint("muted", description)
  end
  return (text.cut(row, width))
end

-- The question whole: what it asks about may be long.
local function add_title(self, lines, width)
  for line in (plain.reveal(self.title) .. "\n"):gmatch("([^\n]*)\n") do
    for _, row in ipairs(text.wrap(line, width)) do
      if #lines == MAX_TITLE_ROWS then
        lines[#lines] = self.theme:paint("bold", "…")
        return
      end
      lines[#lines + 1] = self.theme:paint("bold", (text.cut(row, width)))
    end
  end
end

-- How wide the labels' column is; of ten thousand long ones a few are measured, once.
local function measure_labels(self, width)
  local most = math.max(10, width // 2)
  if self.measured ~= self.found or self.measured_for ~= width then
    self.measured, self.measured_for, self.label_width = self.found, width, 0
    for _, item in ipairs(self.found) do
      self.label_width = math.max(self.label_width, text.width(plain.reveal(item.label)))
      if self.label_width >= most then
        break
      end
    end
  end
  return math.min(self.label_width, most)
end

--- Renders title, filter and the choices around the selected one.
---@param width integer
---@return string[] lines
---@return panto.tui.Cursor? cursor at the end of the filter
function List:render(width)
  local lines, cursor = {}, nil
  if self.title then
    add_title(self, lines, width)
  end
  if self.has_filter then
    lines[#lines + 1] = text.cut("> " .. self.query, width)
    cursor = { row = #lines, col = math.min(text.width(lines[#lines]) + 1, width) }
  end
  local label_width = measure_labels(self, width)
  local first = math.max(1, math.min(self.at - self.max_rows // 2, #self.found - self.max_rows + 1))
  local last = math.min(#self.found, first + self.max_rows - 1)
  for index = first, last do
    lines[#lines + 1] = row_of(self, index, label_width, width)
  end
  if #self.found == 0 then
    lines[#lines + 1] = self.theme:paint("muted", "  nothing fits")
  elseif last - first + 1 < #self.found then
    lines[#lines + 1] = self.theme:paint("muted", "  " .. self.at .. "/" .. #self.found)
  end
  return lines, cursor
end

return select_list
