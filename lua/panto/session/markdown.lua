-- A session into a Markdown document.

local json = require("panto.base.json")
local story = require("panto.session.story")

local markdown = {}

-- A fence longer than any run of backticks in what it holds.
local function fenced(text, language)
  local longest = 2
  for run in text:gmatch("`+") do
    longest = math.max(longest, #run)
  end
  local fence = ("`"):rep(longest + 1)
  return ("%s%s\n%s%s%s\n"):format(
    fence,
    language or "",
    text,
    text:sub(-1) == "\n" and "" or "\n",
    fence
  )
end

-- A call's long texts read better than JSON with escapes: each argument in a line or block of its own.
local function call_text(arguments)
  local input = json.decode(arguments)
  if type(input) ~= "table" or json.is_array(input) or input == json.null then
    return fenced(arguments)
  end
  local names, lines = {}, {}
  for name in pairs(input) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local value = input[name]
    local text = type(value) == "string" and value or json.encode(value)
    if text:find("\n") then
      lines[#lines + 1] = ("%s:\n\n%s"):format(name, fenced(text))
    else
      lines[#lines + 1] = ("%s: `%s`\n"):format(name, (text:gsub("`", "'")))
    end
  end
  return table.concat(lines, "\n")
end

local function quoted(text)
  return "> " .. text:gsub("%s+$", ""):gsub("\n", "\n> ") .. "\n"
end

local write = {}

function write.user(chapter)
  return "## User\n\n" .. chapter.text .. "\n"
end

function write.answer(chapter)
  return "## Assistant\n\n" .. chapter.text .. "\n"
end

function write.thinking(chapter)
  return "*Thinking*\n\n" .. quoted(chapter.text)
end

function write.call(chapter)
  return ("### Call of `%s`\n\n%s"):format(chapter.name, call_text(chapter.text))
end

function write.result(chapter)
  local what = chapter.is_error and "Error" or "Result"
  return ("%s of `%s`:\n\n%s"):format(what, chapter.name or "?", fenced(chapter.text))
end

function write.compaction(chapter)
  return "## Compaction\n\nWhat came before was summarised:\n\n" .. quoted(chapter.text)
end

function write.note(chapter)
  return "*Told to the model*\n\n" .. quoted(chapter.text)
end

function write.model(chapter)
  return ("*Model: %s*\n"):format(chapter.text)
end

--- Writes a log's active branch as Markdown, piece by piece.
---@param log panto.session.Log
---@param put fun(text: string)
function markdown.write(log, put)
  put(("# Session %s\n\n"):format(log:short_id()))
  put(
    ("- Folder: `%s`\n- Created: %s\n- Messages: %d\n"):format(
      log.cwd,
      log.created:sub(1, 16):gsub("T", " "),
      (log:count())
    )
  )
  for chapter in story.read(log) do
    put("\n" .. write[chapter.kind](chapter))
  end
end

return markdown
