-- Turns what require("panto") returns, and the comments above its functions, into its stub:
-- `.venv/bin/panto lua tests/support/write_stub.lua > lua/panto/_meta/panto.lua` (make stubs).

local HEAD = [=[
---@meta panto
-- The public API, what require("panto") returns. Written by `make stubs` from the sources.

---@class panto
local panto = {}

---What an extension registers and listens with.
panto.ext = {}

---Registers a tool for the model.
---@param tool panto.ToolEntry
function panto.ext.register_tool(tool) end

---Registers a slash command.
---@param command panto.CommandEntry
function panto.ext.register_command(command) end

---Binds a key; what the handler does may wait.
---@param key panto.KeyEntry
function panto.ext.register_key(key) end

---Calls a function whenever an event happens; several in the order of their registration. It may wait.
---@param name string such as "tool_result"; see panto.event.* for the payloads
---@param handler fun(event: table)
---@return fun() unsubscribe
function panto.ext.on(name, handler) end

---Tells every subscriber of an event. They see the data as `e.data`, and a table's fields as the
---event's; a component that one of them sets is shown in the transcript.
---@param name string one's own name; of panto's own events nothing is shown but "notice"
---@param data any
---@return table payload as the subscribers left it
function panto.ext.emit(name, data) end
]=]

---What each table of the module is for; a new one is described here.
local TABLES = {
  ["panto.agent"] = "The agent as a library.",
  ["panto.clock"] = "Times, in milliseconds.",
  ["panto.config"] = "The settings that tools follow.",
  ["panto.config.shell"] = "Limits of shell commands, in seconds.",
  ["panto.env"] = "The process's surroundings.",
  ["panto.fs"] = "Files and folders; failures are nil, a message and a code such as ENOENT.",
  ["panto.http"] = "Requests whose bodies are read as they come; only inside tasks.",
  ["panto.json"] = "JSON text and Lua values.",
  ["panto.json.null"] = "JSON's null, which a Lua table cannot hold as nil.",
  ["panto.process"] = "Programs, their output and their end; only inside tasks.",
  ["panto.session"] = "The sessions on disk.",
  ["panto.task"] = "Coroutines that wait: the only concurrency.",
  ["panto.task.CANCELLED"] = "What a cancelled wait raises.",
  ["panto.text"] = "Text as people and terminals see it.",
  ["panto.text.base64"] = "Bytes as base64 text.",
  ["panto.toml"] = "TOML text as Lua tables.",
  ["panto.ui"] = "What asks the user and draws; the questions need panto's screen.",
}

local sources = {}

---Gives the lines of a source file, read once.
local function lines_of(path)
  if not sources[path] then
    sources[path] = {}
    for line in io.lines(path) do
      table.insert(sources[path], line)
    end
  end
  return sources[path]
end

---Gives the `---` lines right above a function.
local function doc_of(info)
  local lines, row, doc = lines_of(info.source:sub(2)), info.linedefined, {}
  while lines[row - 1] and lines[row - 1]:match("^%s*%-%-%-") do
    row = row - 1
    table.insert(doc, 1, (lines[row]:gsub("^%s*%-%-%-%s*", "---")))
  end
  return doc
end

local function write_function(name, value)
  local info = debug.getinfo(value, "Su")
  local parameters = {}
  for index = 1, info.nparams do
    table.insert(parameters, (debug.getlocal(value, index)))
  end
  if info.isvararg then
    table.insert(parameters, "...")
  end
  local list = table.concat(parameters, ", ")
  print("\n" .. table.concat(doc_of(info), "\n"))
  print(("function %s(%s) end"):format(name, list))
end

local function write_table(prefix, value)
  local keys = {}
  for key in pairs(value) do
    if type(key) == "string" and not key:match("^_") then
      table.insert(keys, key)
    end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    local name, inner = prefix .. "." .. key, value[key]
    if type(inner) == "function" then
      write_function(name, inner)
    elseif type(inner) == "table" and name ~= "panto.ext" then
      print(("\n---%s\n%s = {}"):format(TABLES[name] or "(not described)", name))
      write_table(name, inner)
    elseif name ~= "panto.ext" then
      print(("\n%s = %s"):format(name, tostring(inner)))
    end
  end
end

io.write(HEAD)
write_table("panto", require("panto"))
print("\nreturn panto")
