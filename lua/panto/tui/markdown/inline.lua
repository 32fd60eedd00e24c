-- Turns the text of a paragraph into its words without markup, and runs that say how each is shown.
local links = require("panto.tui.markdown.links")

local byte, find, sub = string.byte, string.find, string.sub

local inline = {}

---@class panto.tui.Run
---@field last integer last byte of the run in the text
---@field strong boolean?
---@field emphasis boolean?
---@field strike boolean?
---@field code boolean?
---@field link boolean?
---@field href string? where a link leads
---@field style string? name of the style of a piece of code
---@field address boolean? an address that is written behind a link's label
---@field source integer byte of the source that the run begins at

---@class panto.tui.Inline
---@field text string the words, without markup
---@field runs panto.tui.Run[] in order, they cover the text
---@field stable integer how many bytes of `text` nothing that follows can change

local SPECIAL = "[%*_`%[%]!<\\~&h]"
local ENTITIES = {
  ["&amp;"] = "&",
  ["&lt;"] = "<",
  ["&gt;"] = ">",
  ["&quot;"] = '"',
  ["&#39;"] = "'",
  ["&apos;"] = "'",
  ["&nbsp;"] = " ",
}

---@class panto.tui.InlineReader
---@field s string
---@field nodes table[] pieces of text with their styles and where they come from
---@field openers table[] delimiters that may still begin something
---@field is_open boolean more text may follow

local function add(self, text, source)
  local node = { text = text, source = source }
  self.nodes[#self.nodes + 1] = node
  return node
end

local function is_space(code)
  return code == nil or code == 32 or code == 10 or code == 9
end

local function is_punctuation(code)
  return code ~= nil
    and (
      code >= 33 and code <= 47
      or code >= 58 and code <= 64
      or code >= 91 and code <= 96
      or code >= 123 and code <= 126
    )
end

-- Whether a run of delimiters may begin or end emphasis, by the characters beside it.
local function sides(char, before, after)
  local left = not is_space(after)
    and (not is_punctuation(after) or is_space(before) or is_punctuation(before))
  local right = not is_space(before)
    and (not is_punctuation(before) or is_space(after) or is_punctuation(after))
  if char == "_" then
    return left and (not right or is_punctuation(before)),
      right and (not left or is_punctuation(after))
  end
  return left, right
end

local function mark(self, first, last, name, value)
  for index = first, last do
    self.nodes[index][name] = value
  end
end

local STYLE_OF = { [1] = "emphasis", [2] = "strong" }

-- Ends what the nearest fitting opener began; takes one or two delimiters from both.
local function close_emphasis(self, closer)
  for at = #self.openers, 1, -1 do
    local opener = self.openers[at]
    if opener.char == closer.char and opener.count > 0 then
      local count = math.min(opener.count, closer.count, 2)
      if closer.char == "~" and opener.count ~= closer.count then
        return false
      end
      local name = closer.char == "~" and "strike" or STYLE_OF[count]
      mark(self, opener.index + 1, #self.nodes, name, true)
      opener.count, closer.count = opener.count - count, closer.count - count
      local node = self.nodes[opener.index]
      node.text = sub(node.text, 1, opener.count)
      for above = #self.openers, at + (opener.count > 0 and 1 or 0), -1 do
        self.openers[above] = nil
      end
      return true
    end
  end
  return false
end

local function read_delimiters(self, i, char)
  local _, last = find(self.s, "^" .. (char == "*" and "%*" or char) .. "+", i)
  local run = { char = char, count = last - i + 1 }
  local before = i > 1 and byte(self.s, i - 1) or self.before
  local after = byte(self.s, last + 1)
  if char == "~" and run.count > 2 then
    add(self, sub(self.s, i, last), i)
    return last + 1
  end
  local opens, closes = sides(char, before, after)
  if self.is_open and after == nil then
    opens = true
  end
  while closes and run.count > 0 and close_emphasis(self, run) do
  end
  if run.count > 0 then
    add(self, char:rep(run.count), i)
    if opens then
      run.index, run.source = #self.nodes, i
      self.openers[#self.openers + 1] = run
    end
  end
  return last + 1
end

local function note_pending(self)
  self.pending = self.pending or #self.nodes
end

local function read_code(self, i)
  local _, last = find(self.s, "^`+", i)
  local fence = sub(self.s, i, last)
  local from = last + 1
  while true do
    local first, stop = find(self.s, "`+", from)
    if not first then
      break
    end
    if stop - first == last - i and not (self.is_open and stop == #self.s) then
      local text = sub(self.s, last + 1, first - 1):gsub("\n", " ")
      if #text > 2 and text:find("^ .* $") and text:find("[^ ]") then
        text = text:sub(2, -2)
      end
      local mark_of = self.has_styles and "" or "`"
      add(self, mark_of .. text .. mark_of, last + 1).code = true
      return stop + 1
    end
    from = stop + 1
  end
  add(self, fence, i)
  note_pending(self)
  if self.is_open and last - i == 0 and byte(self.s, last + 1) ~= nil then
    self.nodes[#self.nodes].text = ""
    add(self, (sub(self.s, last + 1):gsub("\n", " ")), last + 1).code = true
    return #self.s + 1
  end
  return last + 1
end

local function find_bracket(self)
  for at = #self.openers, 1, -1 do
    if self.openers[at].char == "[" then
      return at, self.openers[at]
    end
  end
end

-- At a "]": a link or an image when a destination follows, else plain brackets.
local function read_bracket_end(self, i)
  local at, opener = find_bracket(self)
  if not opener then
    add(self, "]", i)
    return i + 1
  end
  local href, last = links.destination(self.s, i + 1)
  local is_cut = self.is_open and (i == #self.s or byte(self.s, i + 1) == 40 and not last)
  if not last then
    if not is_cut then
      table.remove(self.openers, at)
    end
    add(self, "]", i)
    return i + 1
  end
  mark(self, opener.index + 1, #self.nodes, "link", true)
  mark(self, opener.index + 1, #self.nodes, "href", href)
  self.nodes[opener.index].text = ""
  for above = #self.openers, at, -1 do
    self.openers[above] = nil
  end
  if opener.index == #self.nodes then
    local node = add(self, href, i)
    node.link, node.href = true, href
  end
  local is_linked = links.is_shown(href)
  if not is_linked then
    mark(self, opener.index + 1, #self.nodes, "href", nil)
  end
  if not (is_linked and self.has_links) and sub(self.s, opener.source + 1, i - 1) ~= href then
    add(self, " (" .. href .. ")", i).address = true
  end
  return last + 1
end

local function read_bracket(self, i, last)
  add(self, sub(self.s, i, last), i)
  self.openers[#self.openers + 1] = { char = "[", count = 0, index = #self.nodes, source = i }
  return last + 1
end

local function read_link(self, i, text, last)
  local node = add(self, text, i)
  node.link, node.href = true, links.is_shown(text) and text or nil
  return last + 1
end

local function read_angle(self, i)
  local _, last, text = find(self.s, "^<(%a[%w+.-]*:[^%s<>]+)>", i)
  if last then
    return read_link(self, i, text, last)
  end
  _, last = find(self.s, "^<[bB][rR] ?/?>", i)
  if last then
    add(self, "\n", i)
    return last + 1
  end
  add(self, "<", i)
  if self.is_open and not find(self.s, "[%s>]", i) then
    note_pending(self)
  end
  return i + 1
end

local function read_escape(self, i)
  local after = byte(self.s, i + 1)
  if is_punctuation(after) then
    add(self, sub(self.s, i + 1, i + 1), i)
    return i + 2
  elseif after == 10 then
    add(self, "", i)
    return i + 1
  end
  add(self, "\\", i)
  return i + 1
end

local function read_entity(self, i)
  local _, last = find(self.s, "^&#?%w+;", i)
  local character = last and ENTITIES[sub(self.s, i, last)]
  add(self, character or "&", i)
  return character and last + 1 or i + 1
end

-- A bare address: it ends before a mark that only ends the sentence.
local function read_address(self, i)
  local _, last = find(self.s, "^https?://[^%s<>\"'`|\\%^{}]*", i)
  local address = sub(self.s, i, last):gsub("[%.,;:!%?%*_~]+$", "")
  if not address:find("(", 1, true) then
    address = address:gsub("%).*$", "")
  end
  return read_link(self, i, address, i + #address - 1)
end

local readers = {
  ["*"] = read_delimiters,
  ["_"] = read_delimiters,
  ["~"] = read_delimiters,
  ["`"] = read_code,
  ["["] = function(self, i)
    return read_bracket(self, i, i)
  end,
  ["!"] = function(self, i)
    return read_bracket(self, i, i + 1)
  end,
  ["]"] = read_bracket_end,
  ["<"] = read_angle,
  ["\\"] = read_escape,
  ["&"] = read_entity,
  ["h"] = read_address,
}

-- Most of these letters are no markup: they stay in the text around them.
local function is_markup(self, at, char)
  if char == "h" then
    local before = at > 1 and byte(self.s, at - 1) or self.before
    return find(self.s, "^https?://[^%s<>]", at)
      and not (before and find(string.char(before), "%w"))
  end
  return char ~= "!" or byte(self.s, at + 1) == 91
end

local function read_all(self)
  local s, i, from = self.s, 1, 1
  while true do
    local at = find(s, SPECIAL, i)
    if not at then
      break
    end
    local char = sub(s, at, at)
    if is_markup(self, at, char) then
      if at > from then
        add(self, sub(s, from, at - 1), from)
      end
      i = readers[char](self, at, char)
      from = i
    else
      i = at + 1
    end
  end
  if from <= #s then
    add(self, sub(s, from), from)
  end
end

-- What is not closed yet is shown as if it were, so that nothing jumps when its end comes.
local function show_unclosed(self)
  for _, opener in ipairs(self.openers) do
    local char, count = opener.char, opener.count
    if (char == "*" or char == "_") and count > 0 and opener.index < #self.nodes then
      local name = STYLE_OF[math.min(count, 2)]
      mark(self, opener.index + 1, #self.nodes, name, true)
      self.nodes[opener.index].text = ""
    end
  end
end

local STYLES = { "address", "strong", "emphasis", "strike", "code", "link", "href" }

local function is_like(node, run)
  for _, name in ipairs(STYLES) do
    if node[name] ~= run[name] then
      return false
    end
  end
  return true
end

local function flatten(self, stable_node)
  local pieces, runs, size, stable = {}, {}, 0, nil
  local tail = self.is_open and find(self.s, "%S*$") or #self.s + 1
  for index, node in ipairs(self.nodes) do
    if not stable and (index == stable_node or node.source + #node.text > tail) then
      stable = index == stable_node and size or size + math.max(0, tail - node.source)
    end
    if node.text ~= "" then
      pieces[#pieces + 1] = node.text
      size = size + #node.text
      local run = runs[#runs]
      local goes_on = run and is_like(node, run) and node.source == run.source_next
      if not goes_on then
        run = node
        runs[#runs + 1] = run
      end
      run.last = size
      run.source_next = node.source + #node.text
    end
  end
  return { text = table.concat(pieces), runs = runs, stable = stable or size }
end

---@class panto.tui.InlineOptions
---@field is_open boolean? more may follow: what is not closed yet is shown as if it were
---@field before integer? the byte that stands before it
---@field has_links boolean? addresses need not be written behind their labels
---@field has_styles boolean? code need not keep its marks

--- Parses a paragraph's text.
---@param s string
---@param options panto.tui.InlineOptions
---@return panto.tui.Inline
function inline.parse(s, options)
  local is_open = options.is_open
  local self = {
    s = s,
    nodes = {},
    openers = {},
    is_open = is_open,
    before = options.before,
    has_links = options.has_links,
    has_styles = options.has_styles,
  }
  read_all(self)
  local stable_node = self.pending
  local first = self.openers[1]
  if first and (not stable_node or first.index < stable_node) then
    stable_node = first.index
  end
  if is_open then
    show_unclosed(self)
  end
  return flatten(self, stable_node)
end

return inline
