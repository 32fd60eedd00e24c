-- Turns an extension file into its entries, without any of its effects.

local chunks = require("panto.sys.chunks")
local task = require("panto.sys.task")
local traceback_of = require("panto.base.traceback")
local wall = require("panto.ext.wall")

local evaluate = {}

---@class panto.Entry
---@field name string
---@field file string
---@field layer string
---@field rank integer
---@field activate fun(state: any)? what it does when it survives
---@field tool panto.Tool? of the short form
---@field health (fun(): any, string?, string?)? says for `panto doctor` how it is
---@field deactivate (fun(): any)? ends it before a reload; what it returns the new one gets
---@field owner panto.Owner? of what it has registered, while it is active
---@field read_seconds number? its part of the time that its file took
---@field recorded function[]? calls made while its file was evaluated
---@field status "active"|"shadowed"|"denied"|"failed"|nil
---@field by string? the file that shadows it

---@class panto.LoadError
---@field file string
---@field line integer?
---@field message string
---@field traceback string?
---@field entry string? whose activation failed

local NO_WAIT = "the top level of an extension cannot wait: do that in activate"

local SHAPES = "an extension file returns { name = …, activate = function }, "
  .. "a tool { name = …, description = …, schema = …, handler = function }, or a list of these"

local function is_name(value)
  return type(value) == "string" and value ~= ""
end

local function entry_of(value, source)
  if type(value) ~= "table" or not is_name(value.name) then
    return nil
  end
  local entry = {
    name = value.name,
    file = source.file,
    layer = source.layer,
    rank = source.rank,
    health = type(value.health) == "function" and value.health or nil,
  }
  if type(value.activate) == "function" then
    entry.activate = value.activate
    entry.deactivate = type(value.deactivate) == "function" and value.deactivate or nil
  elseif type(value.handler) == "function" then
    entry.tool = value
  else
    return nil
  end
  return entry
end

local function describe(value)
  if type(value) ~= "table" then
    return "it returned " .. (value == nil and "nothing" or "a " .. type(value))
  elseif value.name == nil then
    return "it returned a table without a name"
  end
  return ("it returned %q without activate or handler"):format(tostring(value.name))
end

local function entries_of(value, source)
  local single = entry_of(value, source)
  if single then
    return { single }
  elseif type(value) ~= "table" or value.name ~= nil or #value == 0 then
    return nil, describe(value)
  end
  local entries = {}
  for i, item in ipairs(value) do
    entries[i] = entry_of(item, source)
    if not entries[i] then
      return nil, ("item %d of its list is neither an entry nor a tool"):format(i)
    end
  end
  return entries
end

-- Calls made during the evaluation belong to an entry of the file's name.
local function add_implicit(entries, recorded, source)
  for _, entry in ipairs(entries) do
    if entry.name == source.name then
      entry.recorded = recorded
      return
    end
  end
  entries[#entries + 1] = {
    name = source.name,
    file = source.file,
    layer = source.layer,
    rank = source.rank,
    recorded = recorded,
  }
end

-- The file's line that a message or its traceback begins with, and the message without it; Lua
-- cuts a long path in front. A place in panto itself tells an extension's author nothing.
local function split_place(file, message, frames)
  local function is_file(path)
    local kept = path:match("^%.%.%.(.*)$")
    return path == file or kept ~= nil and file:sub(-#kept) == kept
  end
  local path, line, rest = message:match("^(.-%.lua):(%d+): (.*)$")
  if path and is_file(path) then
    return tonumber(line), rest
  elseif path and path:find("panto/ext/", 1, true) then
    message = rest
  end
  for _, frame in ipairs(frames) do
    path, line = frame:match("^(.-%.lua):(%d+): ")
    if path and is_file(path) then
      return tonumber(line), message
    end
  end
  return nil, message
end

--- Returns an error of a file as data: its line, and the traceback without panto's own frames.
---@param file string
---@param message string
---@param traceback string?
---@return panto.LoadError
function evaluate.error(file, message, traceback)
  local frames = traceback_of.frames(traceback or "")
  local line
  line, message = split_place(file, message, frames)
  return {
    file = file,
    line = line,
    message = message,
    traceback = frames[1] and table.concat(frames, "\n") or nil,
  }
end

-- Also what it returned is the file's own code, where a metatable may raise.
local function run_chunk(chunk, source)
  local value = chunk(source.name, source.file)
  local entries, problem = entries_of(value, source)
  return { entries = entries, problem = problem, is_nothing = value == nil }
end

--- Evaluates a file; returns its entries, or nil and the error.
---@param source panto.SourceFile
---@param api panto.Api
---@return panto.Entry[]?
---@return panto.LoadError?
function evaluate.run(source, api)
  local chunk, message = chunks.load(source.file)
  if not chunk then
    return nil, evaluate.error(source.file, message)
  end
  -- What a file sets as a global is its own: it cannot take io or print from the others.
  debug.setupvalue(chunk, 1, setmetatable({}, { __index = _G }))
  local recorded = api:start_recording()
  local former = task.forbid_wait(NO_WAIT)
  local ok, value = wall.call(run_chunk, chunk, source)
  task.forbid_wait(former)
  api:stop_recording()
  if not ok then
    return nil, evaluate.error(source.file, value.message, value.traceback)
  end
  local is_optional = source.is_rock or (value.is_nothing and #recorded > 0)
  if not value.entries and not is_optional then
    return nil, evaluate.error(source.file, ("%s; %s"):format(value.problem, SHAPES))
  end
  local entries = value.entries or {}
  if #recorded > 0 then
    add_implicit(entries, recorded, source)
  end
  return entries
end

return evaluate
