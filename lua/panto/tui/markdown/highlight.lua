-- Turns one line of code into runs with the names of their styles; a state goes on to the next line.
local languages = require("panto.tui.markdown.languages")

local byte, find, sub = string.byte, string.find, string.sub

local highlight = {}

---@class panto.tui.CodeState
---@field close string what ends the comment or string that is open
---@field style string
---@field escapes boolean?

local function new_output()
  return { runs = {}, last = 0 }
end

local function put(out, last, style)
  if last <= out.last then
    return
  end
  local run = out.runs[#out.runs]
  if run and run.style == style then
    run.last = last
  else
    out.runs[#out.runs + 1] = { last = last, source = out.last + 1, style = style }
  end
  out.last = last
end

-- The last byte of what `close` ends, looked for from i on; nil when it is not in this line.
local function find_close(line, i, close, escapes)
  if not escapes then
    local _, last = find(line, close, i, true)
    return last
  end
  local stop = byte(close)
  while true do
    local at = find(line, "[\\" .. sub(close, 1, 1) .. "]", i)
    if not at then
      return nil
    end
    if byte(line, at) == 92 then
      i = at + 2
    elseif byte(line, at) == stop and sub(line, at, at + #close - 1) == close then
      return at + #close - 1
    else
      i = at + 1
    end
  end
end

-- A comment or string that begins at i: its last byte and what is still open behind the line.
local function read_enclosed(line, i, language)
  for _, entry in ipairs(language.starts[sub(line, i, i)] or {}) do
    local is_here = sub(line, i, i + #entry.open - 1) == entry.open
    if is_here and entry.spaced and i > 1 and not find(line, "^[%s;|&(]", i - 1) then
      is_here = false
    end
    if is_here then
      local last = entry.close and find_close(line, i + #entry.open, entry.close, entry.escapes)
      return last or #line, entry.style, not last and entry.is_long and entry or nil
    end
  end
end

local function word_style(line, word, last, language)
  local name = language.ignores_case and word:lower() or word
  if language.keywords[name] then
    return "code_keyword"
  elseif language.constants[name] then
    return "code_number"
  elseif find(line, "^%s?%(", last + 1) then
    return "code_function"
  end
  return "code_text"
end

-- What is neither comment nor string: a word, a number, blanks or one mark.
local function read_plain(line, i, language)
  local _, last = find(line, language.word, i)
  if last then
    return last, word_style(line, sub(line, i, last), last, language)
  end
  _, last = find(line, "^%d[%w_.]*", i)
  if last then
    return last, "code_number"
  end
  _, last = find(line, "^[%s\128-\255]+", i)
  return last or i, "code_text"
end

local function read_prefix(line, language, out)
  for _, prefix in ipairs(language.prefix or {}) do
    local _, last = find(line, prefix[1])
    if last then
      put(out, last, prefix[2])
      return last + 1
    end
  end
  return 1
end

local function read_line(line, language, state)
  local out, size, i = new_output(), #line, 1
  if state then
    local last = find_close(line, 1, state.close, state.escapes)
    put(out, last or size, state.style)
    if not last then
      return out.runs, state
    end
    i = last + 1
  end
  if not state then
    i = read_prefix(line, language, out)
  end
  while i <= size do
    local last, style, open = read_enclosed(line, i, language)
    if not last then
      last, style = read_plain(line, i, language)
    end
    put(out, last, style)
    if open then
      return out.runs, open
    end
    i = last + 1
  end
  return out.runs, nil
end

local DIFF_STYLES = { ["+"] = "added", ["-"] = "removed", ["@"] = "hunk" }

--- Reads a line of code.
---@param line string
---@param name string the language as the fence names it
---@param state panto.tui.CodeState? what the line before left open
---@return panto.tui.Run[] runs
---@return panto.tui.CodeState? state
function highlight.line(line, name, state)
  if name == "diff" or name == "patch" then
    return { { last = #line, source = 1, style = DIFF_STYLES[sub(line, 1, 1)] or "code_text" } }
  end
  local language = languages.get(name)
  if not language then
    return { { last = #line, source = 1, style = "code_text" } }
  end
  return read_line(line, language, state)
end

return highlight
