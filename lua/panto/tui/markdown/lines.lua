-- Tells what kind of Markdown block a line begins: fence, heading, rule, list item, table.
local lines = {}

--- Counts and removes the quote marks a line begins with, at most so many.
---@param line string
---@param most integer?
---@return integer depth
---@return string rest
function lines.quotes(line, most)
  local depth = 0
  while depth < (most or 20) do
    local rest = line:match("^ ? ? ?>(.*)$")
    if not rest then
      break
    end
    depth = depth + 1
    line = rest:sub(1, 1) == " " and rest:sub(2) or rest
  end
  return depth, line
end

---@class panto.tui.Fence
---@field char string
---@field count integer
---@field indent integer
---@field language string

--- Reads the line that opens a block of code.
---@param line string
---@return panto.tui.Fence?
function lines.fence(line)
  local indent, marks, info = line:match("^( *)(```+)([^`]*)$")
  if not marks then
    indent, marks, info = line:match("^( *)(~~~+)(.*)$")
  end
  if not marks then
    return nil
  end
  return {
    char = marks:sub(1, 1),
    count = #marks,
    indent = #indent,
    language = info:match("^%s*{?%.?([%w_+#.-]*)"):lower(),
  }
end

--- Tells whether a line closes a fence.
---@param line string
---@param fence panto.tui.Fence
---@return boolean
function lines.closes(line, fence)
  local marks = line:match("^ *([`~]+)%s*$")
  return marks ~= nil and #marks >= fence.count and marks == fence.char:rep(#marks)
end

--- Reads a heading: its level and its text.
---@param line string
---@return integer? level
---@return string? title
function lines.heading(line)
  local marks, title = line:match("^ ? ? ?(#+)%s+(.*)$")
  if not marks then
    marks, title = line:match("^ ? ? ?(#+)$"), ""
  end
  if not marks or #marks > 6 then
    return nil
  end
  return #marks, (title:gsub("%s+#+%s*$", ""):gsub("%s+$", ""))
end

--- Tells whether a line is a rule: three or more of - * _.
---@param line string
---@return boolean
function lines.is_rule(line)
  local marks = line:gsub("%s", "")
  return #marks >= 3 and (marks:find("^%-+$") or marks:find("^%*+$") or marks:find("^_+$")) ~= nil
end

--- Tells whether a line makes the line above it a heading.
---@param line string
---@return integer? level
function lines.underline(line)
  if line:find("^ ? ? ?==+%s*$") then
    return 1
  end
  return line:find("^ ? ? ?%-%-%-+%s*$") and 2 or nil
end

---@class panto.tui.ListItem
---@field indent integer columns before the marker
---@field content integer columns before its text
---@field marker string as it is shown, with its space
---@field number integer? of an ordered list
---@field body string

local TASKS = { [" "] = "☐ ", x = "☑ ", X = "☑ " }

local function bullet(indent, space, body)
  local item = {
    indent = #indent,
    content = #indent + 1 + math.min(#space, 4),
    marker = "• ",
    body = #space > 4 and space:sub(2) .. body or body,
  }
  local task, rest = item.body:match("^%[([ xX])%]%s+(.*)$")
  if task then
    item.marker, item.body = TASKS[task], rest
  end
  return item
end

--- Reads the line that begins a list item.
---@param line string
---@return panto.tui.ListItem?
function lines.item(line)
  local indent, space, body = line:match("^( *)[-*+]( +)(.*)$")
  if not indent then
    indent, space, body = line:match("^( *)[-*+]$"), " ", ""
  end
  if indent then
    return bullet(indent, space, body)
  end
  local digits, mark
  indent, digits, mark, space, body = line:match("^( *)(%d+)([.)])( +)(.*)$")
  if not indent then
    indent, digits, mark = line:match("^( *)(%d+)([.)])$")
    space, body = " ", ""
  end
  if not indent or #digits > 9 then
    return nil
  end
  return {
    indent = #indent,
    content = #indent + #digits + 1 + math.min(#space, 4),
    marker = digits .. mark .. " ",
    number = tonumber(digits),
    body = body,
  }
end

--- Splits a table's row into its cells.
---@param line string
---@return string[]
function lines.cells(line)
  local row = line:gsub("^%s*|", ""):gsub("%s+$", "")
  if row:sub(-1) == "|" and row:sub(-2) ~= "\\|" then
    row = row:sub(1, -2)
  end
  row = row:gsub("\\|", "\1"):gsub("(`+)(.-)%1", function(marks, code)
    return marks .. code:gsub("|", "\1") .. marks
  end)
  local cells = {}
  for cell in (row .. "|"):gmatch("([^|]*)|") do
    cells[#cells + 1] = cell:gsub("\1", "|"):match("^%s*(.-)%s*$")
  end
  return cells
end

--- Reads the line below a table's head: how each column is aligned.
---@param line string
---@return ("left"|"right"|"center")[]?
function lines.alignments(line)
  if not line:find("|", 1, true) or not line:find("-", 1, true) or line:find("[^|:%- ]") then
    return nil
  end
  local list = {}
  for index, cell in ipairs(lines.cells(line)) do
    local left, right = cell:match("^(:?)%-+(:?)$")
    if not left then
      return nil
    end
    list[index] = right == "" and "left" or left == "" and "right" or "center"
  end
  return list
end

return lines
