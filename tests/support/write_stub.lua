-- Turns what require("panto") returns, and the comments above its functions, into its stub:
-- `.venv/bin/panto lua tests/support/write_stub.lua > lua/panto/_meta/panto.lua` (make stubs); with the
-- word `types` the classes that are named there, for lua/panto/_meta/types.lua.

local HEAD = [=[
---@meta panto
-- The public API, what require("panto") returns. Written by `make stubs` from the sources.

---@class panto
local panto = {}

---What an extension registers and listens with.
---@class panto.ext
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

---Calls a function whenever an event happens, several in the order of their registration. It may
---wait.
@OVERLOADS@
---@param name string such as "tool_result"; one's own events have any name
---@param handler fun(e: panto.CustomEvent)
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

local TYPES = [=[
---@meta
-- The classes that the public API's functions take and return. Written by `make stubs`.
]=]

local SHAPES = "lua/panto/_meta/shapes.lua"

local out = {}

local function put(text)
  table.insert(out, text)
end

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
  put("\n" .. table.concat(doc_of(info), "\n"))
  put(("function %s(%s) end"):format(name, list))
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
      local class = next(inner) ~= nil and ("---@class %s\n"):format(name) or ""
      put(("\n---%s\n%s%s = {}"):format(TABLES[name] or "(not described)", class, name))
      write_table(name, inner)
    elseif name ~= "panto.ext" then
      put(("\n%s = %s"):format(name, tostring(inner)))
    end
  end
end

---Gives an overload of `on` for each event that the shapes describe.
local function overloads()
  local list = {}
  for _, line in ipairs(lines_of(SHAPES)) do
    local name = line:match("^%-%-%-@class panto%.event%.([%w_]+)")
    if name then
      local text = '---@overload fun(name: "%s", handler: fun(e: panto.event.%s)): fun()'
      table.insert(list, text:format(name, name))
    end
  end
  return table.concat(list, "\n")
end

---Gives the comment that ends in front of a row.
local function comment_above(lines, row)
  local first = row
  while lines[first - 1] and lines[first - 1]:match("^%-%-%-") do
    first = first - 1
  end
  return table.move(lines, first, row - 1, 1, {})
end

---Gives each method of a class's table, its comment in front.
local function methods_of(lines, variable)
  local found = {}
  for row, line in ipairs(lines) do
    local head = line:match("^function " .. variable .. ":%a[%w_]*%b()")
    if head then
      local doc = comment_above(lines, row)
      for index, text in ipairs(doc) do
        doc[index] = text:gsub("^%-%-%- ", "---")
      end
      table.insert(found, table.concat(doc, "\n") .. "\n" .. head .. " end")
    end
  end
  return found
end

---Gives every class of the sources by its name: its comment, and its methods.
local function read_classes()
  local classes = {}
  for file in io.popen("find lua/panto -name '*.lua' | LC_ALL=C sort"):lines() do
    local lines = file:find("_meta/") and {} or lines_of(file)
    for row, line in ipairs(lines) do
      local name = line:match("^%-%-%-@class ([%w_.]+)")
      local last = row
      while name and lines[last + 1]:match("^%-%-%-@") and not lines[last + 1]:match("@class") do
        last = last + 1
      end
      local doc = name and table.concat(table.move(lines, row, last, 1, {}), "\n")
      local variable = name and lines[last + 1]:match("^local (%w+) = {}")
      if name and variable then
        doc = doc .. ("\nlocal %s = {}"):format(variable)
        for _, method in ipairs(methods_of(lines, variable)) do
          doc = doc .. "\n\n" .. method
        end
      end
      if name then
        classes[name] = doc
      end
    end
  end
  return classes
end

---What the objects are made of is panto's own.
local INNER = {
  ["panto.Setup"] = true,
  ["panto.Conversation"] = true,
  ["panto.session.Log"] = true,
}

---Takes out the fields that only panto itself uses.
local function without_inner(doc)
  return (doc:gsub("[^\n]*\n?", function(line)
    for name in pairs(INNER) do
      if line:find("^%-%-%-@field") and line:find(name, 1, true) then
        return ""
      end
    end
  end))
end

---Adds the classes that are named but not described yet, and those that these name.
local function add_classes()
  local classes, known, at = read_classes(), {}, 1
  for _, line in ipairs(lines_of(SHAPES)) do
    known[line:match("^%-%-%-@%w+ ([%w_.]+)") or ""] = true
  end
  while at <= #out do
    local found = {}
    for name in out[at]:gmatch("panto%.[%w_.]+") do
      if classes[name] and not known[name] and not INNER[name] then
        known[name] = true
        table.insert(found, name)
      end
    end
    table.sort(found)
    for _, name in ipairs(found) do
      put("\n" .. without_inner(classes[name]))
    end
    at = at + 1
  end
end

put((HEAD:gsub("@OVERLOADS@", overloads):gsub("\n$", "")))
write_table("panto", require("panto"))
if arg[1] == "types" then
  put(table.concat(lines_of(SHAPES), "\n"))
  local own = #out
  add_classes()
  local text = TYPES .. table.concat(out, "\n", own + 1)
  print((text:gsub("\n+$", ""):gsub("\n\n\n+", "\n\n")))
else
  print(table.concat(out, "\n"))
  print("\nreturn panto")
end
