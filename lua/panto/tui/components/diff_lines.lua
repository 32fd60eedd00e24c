-- Turns the lines of a unified diff into runs of styles: what a changed line has changed stands out.
local diff = require("panto.base.diff")

local diff_lines = {}

local MOST_WORDS, LEAST_SAME = 200, 0.35

---@class panto.tui.DiffLine
---@field text string
---@field runs panto.tui.Run[]

local function style_of(line)
  local first = line:sub(1, 1)
  if line:find("^@@") then
    return "hunk"
  end
  return first == "+" and "added" or first == "-" and "removed" or "output"
end

local function words_of(line)
  local list, from = {}, 1
  while from <= #line do
    local _, last = line:find("^[%w_\128-\255]+", from)
    last = last or select(2, line:find("^%s+", from)) or from
    list[#list + 1] = line:sub(from, last)
    from = last + 1
  end
  return list
end

local function add_run(entry, word, style)
  local last = entry.size + #word
  local run = entry.runs[#entry.runs]
  if run and run.style == style then
    run.last = last
  else
    entry.runs[#entry.runs + 1] = { last = last, source = entry.size + 1, style = style }
  end
  entry.size = last
end

local function begin(line)
  return {
    text = line,
    size = 1,
    runs = { { last = 1, source = 1, style = style_of(line) } },
  }
end

-- Marks the words in which a removed and an added line differ; nil when they have little in common.
local function compare(removed, added)
  local old, new = words_of(removed:sub(2)), words_of(added:sub(2))
  if #old > MOST_WORDS or #new > MOST_WORDS or #old == 0 or #new == 0 then
    return nil
  end
  local one, other, same = begin(removed), begin(added), 0
  local entries = diff.lines(table.concat(old, "\n") .. "\n", table.concat(new, "\n") .. "\n")
  for _, entry in ipairs(entries) do
    if entry.op == "=" then
      same = same + #entry.text
      add_run(one, entry.text, "removed")
      add_run(other, entry.text, "added")
    elseif entry.op == "-" then
      add_run(one, entry.text, "removed_word")
    else
      add_run(other, entry.text, "added_word")
    end
  end
  if same < LEAST_SAME * math.max(#removed, #added) then
    return nil
  end
  return one, other
end

local function whole(line)
  return { text = line, runs = { { last = #line, source = 1, style = style_of(line) } } }
end

local function count_of(lines, from, mark)
  local count = 0
  while (lines[from + count] or ""):sub(1, 1) == mark do
    count = count + 1
  end
  return count
end

--- Styles the lines of a diff.
---@param lines string[]
---@return panto.tui.DiffLine[]
function diff_lines.read(lines)
  local out, i = {}, 1
  while i <= #lines do
    local gone = count_of(lines, i, "-")
    local come = gone > 0 and count_of(lines, i + gone, "+") or 0
    for offset = 0, gone - 1 do
      out[i + offset] = whole(lines[i + offset])
    end
    for offset = 0, come - 1 do
      out[i + gone + offset] = whole(lines[i + gone + offset])
    end
    if gone == come then
      for offset = 0, gone - 1 do
        local one, other = compare(lines[i + offset], lines[i + gone + offset])
        out[i + offset] = one or out[i + offset]
        out[i + gone + offset] = other or out[i + gone + offset]
      end
    end
    if gone == 0 then
      out[i] = whole(lines[i])
    end
    i = i + math.max(1, gone + come)
  end
  return out
end

return diff_lines
