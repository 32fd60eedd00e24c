-- The Markdown that models write into HTML: paragraphs, headings, lists, tables, quotes, fenced code.

local html_text = require("panto.session.html_text")

local html_markdown = {}

local inline = html_text.inline

local function put(state, text)
  table.insert(state.out, text)
end

local function close_list(state)
  if state.list then
    put(state, ("</%s>"):format(state.list))
    state.list = nil
  end
end

local function close_table(state)
  if state.columns then
    put(state, "</table>")
    state.columns = nil
  end
end

-- Ends what a line of another kind ends.
local function flush(state)
  if state.lines[1] then
    put(state, "<p>" .. inline(table.concat(state.lines, "<br>")) .. "</p>")
    state.lines = {}
  end
  close_list(state)
  close_table(state)
end

-- One that is indented belongs to the item above.
local function add_item(state, kind, indent, text)
  if state.list ~= kind and not (state.list and indent >= 2) then
    flush(state)
    state.list = kind
    put(state, ("<%s>"):format(kind))
  end
  local style = indent >= 2 and (' style="margin-left: %dem"'):format(math.min(indent // 2, 8))
    or ""
  put(state, ("<li%s>%s</li>"):format(style, inline(text)))
end

local function cells_of(line)
  local cells = {}
  for cell in line:gsub("^%s*|", ""):gsub("|?%s*$", "|"):gmatch("([^|]*)|") do
    cells[#cells + 1] = cell:match("^%s*(.-)%s*$")
  end
  return cells
end

local function add_row(state, cells, tag)
  for i, cell in ipairs(cells) do
    cells[i] = ("<%s>%s</%s>"):format(tag, inline(cell), tag)
  end
  put(state, "<tr>" .. table.concat(cells) .. "</tr>")
end

-- The line of dashes makes the one before it a table's head.
local function add_table_line(state, line)
  if state.columns then
    add_row(state, cells_of(line), "td")
    return true
  end
  local head = state.lines[#state.lines]
  if not (head and head:find("|", 1, true) and line:find("^[%s|:-]*%-[%s|:-]*$")) then
    return false
  end
  table.remove(state.lines)
  flush(state)
  local cells = cells_of(head)
  state.columns = #cells
  put(state, "<table>")
  add_row(state, cells, "th")
  return true
end

local function add_line(state, line)
  local level, heading = line:match("^(#+)%s+(.+)$")
  local indent, item = line:match("^(%s*)[-*+]%s+(.+)$")
  local space, numbered = line:match("^(%s*)%d+[.)]%s+(.+)$")
  local quote = line:match("^%s*&gt;%s?(.*)$")
  if line:find("|", 1, true) and add_table_line(state, line) then
    return
  elseif level and #level <= 6 then
    flush(state)
    local tag = "h" .. math.min(6, #level + 1)
    put(state, ("<%s>%s</%s>"):format(tag, inline(heading), tag))
  elseif item or numbered then
    add_item(state, item and "ul" or "ol", #(indent or space), item or numbered)
  elseif quote then
    flush(state)
    put(state, "<blockquote>" .. inline(quote) .. "</blockquote>")
  elseif not line:find("%S") then
    flush(state)
  else
    close_list(state)
    close_table(state)
    table.insert(state.lines, line)
  end
end

local function end_code(state)
  put(state, "<pre><code>" .. table.concat(state.code, "\n") .. "</code></pre>")
  state.code, state.fence = nil, nil
end

--- Returns Markdown as HTML.
---@param text string
---@return string
function html_markdown.write(text)
  local state = { out = {}, lines = {} }
  for line in (html_text.escape(text) .. "\n"):gmatch("([^\n]*)\n") do
    local fence = line:match("^%s*(```+)") or line:match("^%s*(~~~+)")
    if state.code and fence and fence:sub(1, #state.fence) == state.fence then
      end_code(state)
    elseif state.code then
      table.insert(state.code, line)
    elseif fence then
      flush(state)
      state.code, state.fence = {}, fence
    else
      add_line(state, line)
    end
  end
  if state.code then
    end_code(state)
  end
  flush(state)
  return table.concat(state.out, "\n")
end

return html_markdown
