-- `panto sessions`: one line a session of this folder, newest first; show, export, delete one.

local ansi = require("panto.base.ansi")
local digest = require("panto.session.digest")
local env = require("panto.sys.env")
local find = require("panto.session.find")
local fs = require("panto.sys.fs")
local html = require("panto.session.html")
local index = require("panto.session.index")
local json = require("panto.base.json")
local log = require("panto.session.log")
local markdown = require("panto.session.markdown")
local remove = require("panto.session.remove")
local short_id = require("panto.session.short_id")
local usage = require("panto.cli.usage")
local utf8x = require("panto.base.utf8x")

local sessions = {}

local USAGE = "panto sessions [--all] [--json]\n"
  .. "         panto sessions show ID\n"
  .. "         panto sessions export ID [--md|--html] [-o FILE]\n"
  .. "         panto sessions delete ID [--yes]"
local VERBS = { "show", "export", "delete" }
local FLAGS = {
  list = { "--all", "--json" },
  show = {},
  export = { "--md", "--html", "-o" },
  delete = { "--yes" },
}

-- Names of what `panto` prints to anyway; a file behind them is to be gone on with, not replaced.
local IS_OUTPUT = {
  ["-"] = true,
  ["/dev/stdout"] = true,
  ["/dev/fd/1"] = true,
  ["/proc/self/fd/1"] = true,
}

local function fail(message)
  io.stderr:write("panto: ", message, "\n")
  return 1
end

local function contains(list, word)
  for _, one in ipairs(list) do
    if one == word then
      return true
    end
  end
  return false
end

---@class panto.cli.SessionsOptions
---@field verb "list"|"show"|"export"|"delete"
---@field id string?
---@field output string?
---@field problem string?

-- Takes what does not begin with "-": the verb, the id.
local function take_word(options, word)
  if options.verb == "list" and contains(VERBS, word) then
    options.verb = word
  elseif options.verb ~= "list" and not options.id then
    options.id = word
  else
    options.problem = ("sessions does not know %q%s"):format(word, usage.suggest(word, VERBS))
  end
end

local function parse(words)
  local options = { verb = "list" }
  local i = 1
  while words[i] and not options.problem do
    local word = words[i]
    if word:sub(1, 1) ~= "-" then
      take_word(options, word)
    elseif word == "-o" and options.verb == "export" then
      i = i + 1
      options.output = words[i]
      options.problem = not words[i] and "-o needs a file's name" or nil
    elseif contains(FLAGS[options.verb], word) then
      options[word:gsub("^-+", "")] = true
    else
      local hint = usage.suggest(word, FLAGS[options.verb])
      options.problem = ("sessions does not know %q%s"):format(word, hint)
    end
    i = i + 1
  end
  if options.verb ~= "list" and not options.id and not options.problem then
    options.problem = ("sessions %s needs the beginning of an id"):format(options.verb)
  end
  return options
end

local run = {}

local function as_json(one)
  return {
    id = one.id,
    path = one.path,
    cwd = one.cwd,
    created = one.created,
    messages = one.messages,
    first_text = one.first_text,
    bytes = one.size,
    modified = one.modified,
  }
end

function run.list(options)
  collectgarbage("stop") -- the process ends with the list
  local dir, cwd = env.path("sessions"), fs.cwd()
  local list = options.all and index.list_all(dir) or index.list(dir, cwd)
  if options.json then
    local shown = json.array({})
    for i, one in ipairs(list) do
      shown[i] = as_json(one)
    end
    io.write(json.encode(shown), "\n")
    return 0
  end
  local lines, shown = {}, short_id.all(list)
  for i, one in ipairs(list) do
    local day, minute = one.created:sub(1, 10), one.created:sub(12, 16)
    local of = options.all and "  " .. one.cwd .. "\n" or "\n"
    lines[i] = ("%s %s %s %d messages%s"):format(shown[one.id], day, minute, one.messages, of)
  end
  if not list[1] then
    lines[1] = options.all and "no sessions\n" or ("no sessions for %s\n"):format(cwd)
  end
  local text = table.concat(lines)
  io.write(env.is_terminal(1) and ansi.reveal(text) or text)
  return 0
end

local function read_log(path)
  return log.open(path, { read_only = true, any_version = true })
end

local function tell_notes(opened)
  for _, note in ipairs(opened.notes) do
    io.stderr:write("panto: ", note, "\n")
  end
end

-- A terminal would obey what stands in it.
function run.show(_, path)
  local opened, message = read_log(path)
  if not opened then
    return fail(message)
  end
  local is_terminal = env.is_terminal(1)
  markdown.write(opened, function(text)
    io.write(is_terminal and ansi.reveal((text:gsub("\r\n", "\n"))) or text)
  end)
  tell_notes(opened)
  return 0
end

function run.export(options, path)
  local opened, message = read_log(path)
  if not opened then
    return fail(message)
  end
  local name, ok = options.output, true
  if name and IS_OUTPUT[name] then
    name = nil
  elseif name and fs.stat(name) and fs.real(name) == fs.real(path) then
    return fail(("%s is the session itself"):format(name))
  end
  local is_html = options.html or not options.md and (name or ""):find("%.html?$") ~= nil
  local write = is_html and html.write or markdown.write
  if name then
    ok, message = fs.write(name, function(put)
      write(opened, put)
    end)
  else
    write(opened, function(text)
      io.write(text)
    end)
  end
  tell_notes(opened)
  return ok and 0 or fail(message)
end

-- Whose it is and what it is about, for who is asked.
local function described(path)
  local found = digest.read(fs, path)
  if not found then
    return ""
  end
  local text = found.first_text and (', "%s"'):format(utf8x.cut(found.first_text, 60)) or ""
  return ansi.reveal((" of %s (%d messages%s)"):format(found.cwd, found.messages, text))
end

function run.delete(options, path)
  local id = short_id.of(path)
  if not options.yes then
    if not env.is_terminal(0) then
      return fail(("session %s is not deleted without a terminal to ask: add --yes"):format(id))
    end
    io.stderr:write(("Delete session %s%s for good? [y/N] "):format(id, described(path)))
    if not (io.read("l") or ""):lower():find("^%s*y") then
      return fail("nothing was deleted")
    end
  end
  local ok, message = remove.run(path)
  if not ok then
    return fail(message)
  end
  io.write(("deleted session %s\n"):format(id))
  return 0
end

--- Lists the sessions of the current folder, or shows, exports or deletes one.
---@param words string[]
---@return integer exit_code
function sessions.run(words)
  local options = parse(words)
  if options.problem then
    return usage.refuse(options.problem, USAGE)
  end
  local path, message
  if options.id then
    path, message = find.anywhere(env.path("sessions"), fs.cwd(), options.id)
    if not path then
      return fail(message)
    end
  end
  return run[options.verb](options, path)
end

return sessions
