-- Text, and the Markdown that models write, into HTML; nothing of the text can become a tag.

local ansi = require("panto.base.ansi")
local utf8x = require("panto.base.utf8x")

local html_text = {}

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

--- Escapes a text for HTML; control characters and broken bytes are taken out.
---@param text string
---@return string
function html_text.escape(text)
  return (ansi.clean((utf8x.repair(text))):gsub('[&<>"]', ENTITIES))
end

--- Returns a text's paragraphs, its line ends kept.
---@param text string
---@return string
function html_text.paragraphs(text)
  local escaped = html_text.escape(text):gsub("%s+$", "")
  return "<p>" .. escaped:gsub("\n%s*\n+", "</p><p>"):gsub("\n", "<br>") .. "</p>"
end

-- Code spans, bold text; in what is escaped already.
local function inline(text)
  local pieces, at = {}, 1
  local function add_plain(plain)
    pieces[#pieces + 1] = plain:gsub("%*%*(%S[^*]-)%*%*", "<strong>%1</strong>")
  end
  while true do
    local first, last, code = text:find("`([^`\n]+)`", at)
    if not first then
      break
    end
    add_plain(text:sub(at, first - 1))
    pieces[#pieces + 1] = "<code>" .. code .. "</code>"
    at = last + 1
  end
  add_plain(text:sub(at))
  return table.concat(pieces)
end

local function close_list(state)
  if state.list then
    table.insert(state.out, ("</%s>"):format(state.list))
    state.list = nil
  end
end

local function flush(state)
  if state.lines[1] then
    table.insert(state.out, "<p>" .. inline(table.concat(state.lines, "<br>")) .. "</p>")
    state.lines = {}
  end
end

local function add_item(state, kind, text)
  flush(state)
  if state.list ~= kind then
    close_list(state)
    state.list = kind
    table.insert(state.out, ("<%s>"):format(kind))
  end
  table.insert(state.out, "<li>" .. inline(text) .. "</li>")
end

local function add_line(state, line)
  local level, heading = line:match("^(#+)%s+(.+)$")
  local item, numbered = line:match("^%s*[-*+]%s+(.+)$"), line:match("^%s*%d+[.)]%s+(.+)$")
  if level and #level <= 6 then
    flush(state)
    close_list(state)
    local tag = "h" .. math.min(6, #level + 1)
    table.insert(state.out, ("<%s>%s</%s>"):format(tag, inline(heading), tag))
  elseif item or numbered then
    add_item(state, item and "ul" or "ol", item or numbered)
  elseif not line:find("%S") then
    flush(state)
    close_list(state)
  else
    close_list(state)
    table.insert(state.lines, line)
  end
end

local function end_code(state)
  table.insert(state.out, "<pre><code>" .. table.concat(state.code, "\n") .. "</code></pre>")
  state.code, state.fence = nil, nil
end

--- Returns Markdown as HTML: paragraphs, headings, lists, fenced code, code spans, bold.
---@param text string
---@return string
function html_text.markdown(text)
  local state = { out = {}, lines = {} }
  for line in (html_text.escape(text) .. "\n"):gmatch("([^\n]*)\n") do
    local fence = line:match("^%s*(```+)") or line:match("^%s*(~~~+)")
    if state.code and fence and fence:sub(1, #state.fence) == state.fence then
      end_code(state)
    elseif state.code then
      table.insert(state.code, line)
    elseif fence then
      flush(state)
      close_list(state)
      state.code, state.fence = {}, fence
    else
      add_line(state, line)
    end
  end
  if state.code then
    end_code(state)
  end
  flush(state)
  close_list(state)
  return table.concat(state.out, "\n")
end

return html_text
