-- Turns Markdown that comes in pieces into leaves: paragraphs, lines of code, tables, rules, blanks.
-- A state machine over lines; nothing is looked at twice once its line is whole.
local highlight = require("panto.tui.markdown.highlight")
local leaf = require("panto.tui.markdown.leaf")
local lead = require("panto.tui.markdown.lead")
local lines = require("panto.tui.markdown.lines")
local markdown_table = require("panto.tui.markdown.table")

local blocks = {}

local Scanner = {}
Scanner.__index = Scanner

-- A line longer than this is text, whatever it may look like at its end.
local LONG_LINE, LONG_CODE, LONG_ROW = 256, 2048, 4096
local HELD_BYTES = 1024

---@class panto.tui.Scanner
---@field done table[] leaves that are closed and were not taken
---@field leaf table? the one that may still grow
---@field partial string the line that is not whole yet
---@field is_inside boolean the beginning of that line is in `leaf` already

--- Makes the scanner.
---@return panto.tui.Scanner
function blocks.new()
  return setmetatable({
    done = {},
    leaf = nil,
    partial = "",
    is_inside = false,
    quote = 0,
    lists = {},
    fence = nil,
    is_blank = false,
    last_kind = nil,
    last_quote = 0,
    marker = nil,
  }, Scanner)
end

local function close_leaf(self)
  if self.leaf then
    self.leaf.is_open = false
    self.done[#self.done + 1] = self.leaf
    self.leaf = nil
  end
end

local function quote_lead(depth)
  return depth > 0 and { { ("│ "):rep(depth), "quote_bar" } } or {}
end

-- What rows begin with here: the first row of an item has its marker.
local function leads(self)
  local rest = quote_lead(self.quote)
  local count = #self.lists
  for index, item in ipairs(self.lists) do
    if index < count or not self.marker then
      rest = lead.extend(rest, (" "):rep(item.columns))
    end
  end
  if not self.marker then
    return rest, rest
  end
  local marker = self.marker
  self.marker = nil
  return lead.extend(rest, marker, "list_mark"),
    lead.extend(rest, (" "):rep(self.lists[count].columns))
end

local PARTED = { code = true, table = true, rule = true }

-- Whether an empty row stands before a block of this kind.
local function is_parted(self, kind)
  if not self.last_kind then
    return false
  elseif self.is_blank then
    return true
  elseif #self.lists > 0 then
    return false
  end
  return kind == "heading" or PARTED[kind] or PARTED[self.last_kind]
end

local function open_leaf(self, kind, options)
  close_leaf(self)
  if is_parted(self, kind) then
    local bars = quote_lead(math.min(self.quote, self.last_quote))
    self.done[#self.done + 1] = leaf.new({ source = "", first = bars, rest = bars, is_code = true })
    self.done[#self.done].is_open = false
  end
  self.is_blank, self.last_kind, self.last_quote = false, kind, self.quote
  options.first, options.rest = leads(self)
  if options.indent then
    options.first = lead.extend(options.first, options.indent)
    options.rest = lead.extend(options.rest, options.indent)
  end
  self.leaf = leaf.new(options)
  self.leaf.kind = kind
end

local function base_of(self)
  return self.quote > 0 and "quote" or nil
end

local function flush_marker(self)
  if self.marker then
    open_leaf(self, "text", { source = "", base = base_of(self) })
    close_leaf(self)
  end
end

-- A line of code is a leaf of its own: it is final as soon as it is whole.
local function add_code(self, line)
  local runs, state
  if #line <= LONG_CODE then
    runs, state = highlight.line(line, self.fence.language, self.fence.state)
    self.fence.state = state
  end
  if self.fence.is_begun then -- no gap between the lines of one block
    self.last_kind = nil
  end
  self.fence.is_begun = true
  open_leaf(self, "code", { source = line, runs = runs, is_code = true, indent = "  " })
end

local function open_fence(self, fence)
  close_leaf(self)
  fence.quote = self.quote
  self.fence = fence
end

-- A line inside of a fence; false when the fence has ended before it.
local function read_code(self, line)
  local fence = self.fence
  local depth, body = lines.quotes(line, fence.quote)
  if depth < fence.quote then
    self.fence = nil
    close_leaf(self)
    return false
  end
  if #body <= LONG_LINE and lines.closes(body, fence) then
    close_leaf(self)
    self.fence = nil
    return true
  end
  local indent = #body:match("^ *")
  add_code(self, body:sub(1 + math.min(indent, fence.indent)))
  return true
end

-- A table's head is above its second line; a title above its underline.
local function turn_leaf(self, line)
  local open = self.leaf
  if not open or open.kind ~= "text" or open.lines > 1 or #open.source > HELD_BYTES then
    return false
  end
  local level = lines.underline(line)
  if level then
    open.base = "heading"
    close_leaf(self)
    self.last_kind = "heading"
    return true
  end
  local alignments = open.source:find("|", 1, true) and lines.alignments(line)
  local head = alignments and lines.cells(open.source)
  if not head or #head ~= #alignments then
    return false
  end
  self.leaf = markdown_table.new(head, alignments, open.first, open.rest)
  self.last_kind = "table"
  return true
end

local function leave_lists(self, indent)
  local lists = self.lists
  while #lists > 0 and indent < math.min(lists[#lists].content, lists[#lists].indent + 2) do
    flush_marker(self)
    lists[#lists] = nil
  end
end

local read_body

local function open_item(self, item)
  close_leaf(self)
  flush_marker(self)
  leave_lists(self, item.indent)
  local count = #self.lists
  self.lists[count + 1] = {
    indent = item.indent,
    content = item.content,
    columns = item.number and #item.marker or 2,
  }
  self.marker = item.marker
  if item.body:find("%S") then
    read_body(self, item.body, item.content)
  end
end

local function is_item(self, item)
  local is_text = self.leaf and self.leaf.kind == "text"
  return not (is_text and #self.lists == 0 and item.number and item.number ~= 1)
end

local function add_text(self, body)
  local open = self.leaf
  local words = body:match("^ *(.*)$")
  local starts_table = words:sub(1, 1) == "|"
  if open and open.kind == "text" and not starts_table and not self.marker then
    open:add_line(words)
    return
  end
  open_leaf(self, "text", { source = words, base = base_of(self) })
end

local function add_row(self, body)
  local open = self.leaf
  if not (open and open.is_table) then
    return false
  end
  if #body <= LONG_ROW and body:find("|", 1, true) then
    open:add(lines.cells(body))
    return true
  end
  close_leaf(self)
  return false
end

local function add_heading(self, level, title)
  local marks = self.has_marks and ("#"):rep(level) .. " " or ""
  open_leaf(self, "heading", { source = marks .. title, base = "heading" })
end

-- What stands behind quote marks and list marks, and is no item itself.
function read_body(self, body, indent)
  local is_short = #body <= LONG_LINE
  if add_row(self, body) or is_short and turn_leaf(self, body) then
    return
  end
  local fence = is_short and lines.fence(body)
  if fence then
    fence.indent = math.max(fence.indent, indent)
    return open_fence(self, fence)
  end
  local level, title = lines.heading(body)
  if level then
    return add_heading(self, level, title)
  elseif is_short and lines.is_rule(body) then
    open_leaf(self, "rule", { source = "───", base = "rule" })
    return close_leaf(self)
  end
  local item = lines.item(body)
  if item and is_item(self, item) then
    item.indent, item.content = item.indent + indent, item.content + indent
    return open_item(self, item)
  end
  local depth, quoted = lines.quotes(body)
  if depth > 0 and #self.lists > 0 then
    open_leaf(self, "text", { source = quoted, base = "quote", indent = ("│ "):rep(depth) })
    return
  end
  add_text(self, body)
end

local function is_lazy(self)
  return self.leaf ~= nil and self.leaf.kind == "text" and not self.is_blank
end

local function enter_quote(self, depth)
  if depth ~= self.quote then
    close_leaf(self)
    flush_marker(self)
    self.lists, self.quote = {}, depth
  end
end

local function read_line(self, line)
  if self.fence and read_code(self, line) then
    return
  end
  local depth, body = 0, line
  if not (#self.lists > 0 and self.quote == 0 and line:find("^ ")) then
    depth, body = lines.quotes(line)
  end
  enter_quote(self, depth)
  if not body:find("%S") then
    close_leaf(self)
    self.is_blank = true
    return
  end
  local indent = #body:match("^ *")
  local item = not lines.is_rule(body) and lines.item(body)
  if #self.lists > 0 and not item and not is_lazy(self) then
    leave_lists(self, indent)
  end
  if indent >= 4 and #self.lists == 0 and not self.leaf and #body <= LONG_LINE then
    self.fence = { char = "", count = math.huge, indent = 4, language = "", quote = self.quote }
    add_code(self, body:sub(5))
    self.fence = nil
    return close_leaf(self)
  end
  if item and is_item(self, item) then
    return open_item(self, item)
  end
  local base = #self.lists > 0 and math.min(indent, self.lists[#self.lists].content) or 0
  read_body(self, body:sub(base + 1), base)
end

local function end_line(self)
  local open = self.leaf
  if open and (open.kind == "heading" or self.fence) then
    close_leaf(self)
  end
end

local function most_bytes(self)
  if self.fence then
    return LONG_CODE
  end
  return self.leaf and self.leaf.is_table and LONG_ROW or LONG_LINE
end

--- Takes a piece of text.
---@param s string clean, with expanded tabs
function Scanner:feed(s)
  local from = 1
  if self.is_inside then
    local stop = s:find("\n", 1, true)
    self.leaf:append(s:sub(1, (stop or #s + 1) - 1))
    if not stop then
      return
    end
    self.is_inside, from = false, stop + 1
    end_line(self)
  end
  local stop = s:find("\n", from, true)
  while stop do
    read_line(self, self.partial .. s:sub(from, stop - 1))
    end_line(self)
    self.partial, from = "", stop + 1
    stop = s:find("\n", from, true)
  end
  self.partial = self.partial .. s:sub(from)
  if #self.partial > most_bytes(self) and self.partial:find("%S") then
    read_line(self, self.partial)
    self.partial, self.is_inside = "", self.leaf ~= nil
  end
end

--- Says that nothing more will come.
function Scanner:finish()
  if not self.is_inside and self.partial ~= "" then
    read_line(self, self.partial)
  end
  self.partial = ""
  close_leaf(self)
  flush_marker(self)
end

local MARKS_ONLY = "^[%s%-*+#>|`~=:_]*$"

--- Returns the leaf that is open and those that the unfinished line would make, as copies.
---@return table[] leaves
function Scanner:peek()
  local open = self.leaf
  if self.partial == "" or not self.fence and self.partial:find(MARKS_ONLY) then
    return { open }
  elseif self.fence and lines.closes(self.partial .. "``", self.fence) then
    return { open }
  end
  local copy = {}
  for key, value in pairs(self) do
    copy[key] = value
  end
  copy.done, copy.lists = {}, table.move(self.lists, 1, #self.lists, 1, {})
  copy.leaf = open and open:copy()
  if self.fence then
    copy.fence = {}
    for key, value in pairs(self.fence) do
      copy.fence[key] = value
    end
  end
  read_line(copy, self.partial)
  copy.done[#copy.done + 1] = copy.leaf
  return copy.done
end

return blocks
