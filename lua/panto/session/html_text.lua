-- Text into HTML, and what Markdown says within a line; nothing of the text can become a tag.

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

local function emphasis(text)
  return (
    text
      :gsub("%*%*(%S[^*]-)%*%*", "<strong>%1</strong>")
      :gsub("%f[%S]%*(%w[^*\n]*)%*%f[^%w*]", "<em>%1</em>")
  )
end

-- Only addresses of the web become links; what is emphasised within an address is part of it.
local function plain(text)
  local pieces, at = {}, 1
  while true do
    local first, last, label, address = text:find("%[([^%]\n]+)%]%((https?://[^%s()]+)%)", at)
    if not first then
      break
    end
    pieces[#pieces + 1] = emphasis(text:sub(at, first - 1))
    pieces[#pieces + 1] = ('<a href="%s">%s</a>'):format(address, emphasis(label))
    at = last + 1
  end
  pieces[#pieces + 1] = emphasis(text:sub(at))
  return table.concat(pieces)
end

--- Returns a line that is escaped already with its code spans, emphasis and links.
---@param text string
---@return string
function html_text.inline(text)
  local pieces, at = {}, 1
  while true do
    local first, last, code = text:find("`([^`\n]+)`", at)
    if not first then
      break
    end
    pieces[#pieces + 1] = plain(text:sub(at, first - 1))
    pieces[#pieces + 1] = "<code>" .. code .. "</code>"
    at = last + 1
  end
  pieces[#pieces + 1] = plain(text:sub(at))
  return table.concat(pieces)
end

return html_text
