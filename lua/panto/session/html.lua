-- A session into one HTML page that needs nothing else: no script, no font, no picture from elsewhere.

local html_markdown = require("panto.session.html_markdown")
local html_text = require("panto.session.html_text")
local json = require("panto.base.json")
local story = require("panto.session.story")

local html = {}

local HEAD = [[
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'">
<title>%s</title>
<style>
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --muted: #777;
  --accent: #2a6fb0; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem; }
h1 { font-size: 1.4rem; } h1 + p { color: var(--muted); }
pre, code { font: 0.85rem/1.45 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0; padding: 0.6rem 0.8rem;
  background: var(--soft); border-radius: 6px; }
code { background: var(--soft); border-radius: 3px; padding: 0 0.2em; } pre code { all: unset; }
section { margin: 1rem 0; overflow-wrap: anywhere; }
.user { border-left: 3px solid var(--accent); padding-left: 0.9rem; font-weight: 500; }
.thinking, .model { color: var(--muted); font-style: italic; }
details { border: 1px solid var(--line); border-radius: 6px; padding: 0.3rem 0.8rem; }
summary { cursor: pointer; } .error > summary { color: #c33; }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line);
  padding: 0.2rem 0.6rem; text-align: left; }
blockquote { margin: 0 0 0 0.2rem; padding-left: 0.8rem; border-left: 3px solid var(--line); }
.compaction { border-top: 2px dashed var(--line); padding-top: 0.6rem; color: var(--muted); }
</style>
</head>
<body>
]]

local escape = html_text.escape

local function folded(class, title, body)
  local text = '<section><details class="%s"><summary>%s</summary>%s</details></section>\n'
  return text:format(class, title, body)
end

-- What a call is about, in its title: the command, the path.
local function title_of(chapter)
  local input = json.decode(chapter.text)
  local about = type(input) == "table" and (input.command or input.path)
  about = type(about) == "string" and about:match("^[^\n]*"):sub(1, 120) or ""
  return ("<code>%s</code> %s"):format(escape(chapter.name), escape(about))
end

local write = {}

function write.user(chapter)
  return ('<section class="user">%s</section>\n'):format(html_text.paragraphs(chapter.text))
end

function write.answer(chapter)
  return ('<section class="answer">%s</section>\n'):format(html_markdown.write(chapter.text))
end

function write.thinking(chapter)
  return folded("thinking", "Thinking", html_text.paragraphs(chapter.text))
end

function write.call(chapter)
  return folded("call", title_of(chapter), "<pre>" .. escape(chapter.text) .. "</pre>")
end

function write.result(chapter)
  local _, lines = chapter.text:gsub("\n", "")
  local title = ("%s of <code>%s</code>, %d line%s"):format(
    chapter.is_error and "Error" or "Result",
    escape(chapter.name or "?"),
    lines + 1,
    lines == 0 and "" or "s"
  )
  local class = chapter.is_error and "result error" or "result"
  return folded(class, title, "<pre>" .. escape(chapter.text) .. "</pre>")
end

function write.compaction(chapter)
  local text = '<section class="compaction">What came before was summarised:%s</section>\n'
  return text:format(html_markdown.write(chapter.text))
end

function write.note(chapter)
  return folded("thinking", "Told to the model", html_text.paragraphs(chapter.text))
end

function write.model(chapter)
  return ('<p class="model">Model: %s</p>\n'):format(escape(chapter.text))
end

--- Writes a log's active branch as an HTML page, piece by piece.
---@param log panto.session.Log
---@param put fun(text: string)
function html.write(log, put)
  local title = "Session " .. log:short_id()
  put((HEAD:gsub("%%s", title)))
  put(
    ("<h1>%s</h1>\n<p>%s · %s · %d messages</p>\n"):format(
      title,
      escape(log.cwd),
      escape(log.created:sub(1, 16):gsub("T", " ")),
      (log:count())
    )
  )
  for chapter in story.read(log) do
    put(write[chapter.kind](chapter))
  end
  put("</body>\n</html>\n")
end

return html
