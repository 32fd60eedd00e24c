-- One session as an append-only JSONL file: a header line, then records that hang on each other.

local clock = require("panto.sys.clock")
local folder = require("panto.session.folder")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local load_session = require("panto.session.load")
local random = require("panto.sys.random")
local record = require("panto.session.record")
local repair = require("panto.session.repair")
local shape = require("panto.session.shape")
local store = require("panto.session.store")
local uuid = require("panto.base.uuid")

---@class panto.session.Log
---@field id string
---@field path string
---@field cwd string
---@field created string ISO 8601, UTC
---@field notes string[] what was found torn or broken
---@field memory_only boolean the file cannot be written; the conversation goes on without it
---@field failure string? why
---@field leaf string? id of the record that the next one hangs on
local Log = {}
Log.__index = Log

local log = {}

---@class panto.session.CreateOptions
---@field dir string the folder of all sessions
---@field cwd string
---@field id string? default: a new UUIDv7
---@field now_ms (integer|fun(): integer)? the moment of creation, or the clock to use
---@field version string panto's version, for the header
---@field pid integer? named to a second panto that wants the session
---@field fs table? stands in for panto.sys.fs

local function clock_of(now_ms)
  return type(now_ms) == "function" and now_ms or clock.now_ms
end

local function new_log(header, path, options, files)
  return setmetatable({
    id = header.id,
    cwd = header.cwd,
    created = header.created,
    path = path,
    notes = {},
    memory_only = false,
    entries = {},
    by_id = {},
    now_ms = clock_of(options.now_ms),
    store = files,
  }, Log)
end

--- Makes a log whose file comes with its first record.
---@param options panto.session.CreateOptions
---@return panto.session.Log
function log.create(options)
  local now_ms = options.now_ms or clock.now_ms
  local created_ms = type(now_ms) == "function" and now_ms() or now_ms
  local header = {
    type = "session",
    version = load_session.VERSION,
    id = options.id or uuid.v7(created_ms, random.bytes(16)),
    cwd = options.cwd,
    created = clock.iso(created_ms),
    panto = options.version,
  }
  local path = ("%s/%s.jsonl"):format(folder.path(options.dir, options.cwd), header.id)
  local files = store.new(options.fs or fs, path, options.pid)
  local self = new_log(header, path, options, files)
  self.header_line = record.encode(header)
  return self
end

-- From here on the session lives in memory only.
local function lose(self, message)
  self.memory_only = true
  self.failure = ("session %s is not saved from here on: %s"):format(self:short_id(), message)
  return nil, self.failure
end

--- Opens a session's file for reading and appending, and mends its end.
---@param path string
---@param options { now_ms: (fun(): integer)?, pid: integer?, fs: table? }?
---@return panto.session.Log?
---@return string? message
function log.open(path, options)
  options = options or {}
  local files = store.new(options.fs or fs, path, options.pid)
  local bytes, message = files:open()
  if not bytes then
    return nil, message
  end
  local loaded
  loaded, message = load_session.parse(bytes)
  if not loaded then
    files:close()
    return nil, ("%s %s"):format(path, message)
  end
  local self = new_log(loaded.header, path, options, files)
  self.entries, self.by_id, self.notes = loaded.entries, loaded.by_id, loaded.notes
  self.leaf = #self.entries > 0 and self.entries[#self.entries].id or nil
  local ok, note
  ok, message, note = files:mend(loaded)
  if note then
    table.insert(self.notes, note)
  end
  if not ok then
    lose(self, message)
    table.insert(self.notes, self.failure)
  end
  return self
end

--- Tells whether the file holds anything of this session.
---@return boolean
function Log:is_saved()
  return self.header_line == nil
end

--- Returns the first eight characters of the id, as they are shown.
---@return string
function Log:short_id()
  return self.id:sub(1, 8)
end

local function new_id(self)
  local number = #self.entries + 1
  while self.by_id[("%d"):format(number)] do
    number = number + 1
  end
  return ("%d"):format(number)
end

local function write_line(self, line)
  local ok, message = true, nil
  if self.header_line then
    ok, message = self.store:create()
    line = self.header_line .. line
  end
  if ok then
    ok, message = self.store:write(line)
  end
  if not ok then
    return nil, message
  end
  self.header_line = nil
  return true
end

--- Appends a record and, for a message, makes it durable. On failure it is kept in memory only.
---@param kind "message"|"model"|"reasoning"|"system"|"compaction"|"custom"|string
---@param fields table the record's own fields, such as { message = … }
---@return string? id
---@return string? message once, when the file can no longer be written
function Log:append(kind, fields)
  if fields.id or fields.parent or fields.time or fields.type then
    error("a record's id, parent, time and type are given by the log", 2)
  end
  local entry_record = {
    id = new_id(self),
    parent = self.leaf or json.null,
    time = clock.iso(self.now_ms()),
    type = kind,
  }
  for key, value in pairs(fields) do
    entry_record[key] = value
  end
  local line = record.encode(entry_record)
  local entry = { id = entry_record.id, parent = self.leaf, type = kind, record = entry_record }
  table.insert(self.entries, entry)
  self.by_id[entry.id] = #self.entries
  self.leaf = entry.id
  if self.memory_only then
    return entry.id
  end
  local ok, message = write_line(self, line)
  if ok and kind == "message" then
    ok, message = self.store:sync()
  end
  if not ok then
    return lose(self, message)
  end
  return entry.id
end

--- Makes all that was appended durable (fsync).
---@return true?
---@return string? message
function Log:sync()
  if self.memory_only then
    return nil, self.failure
  elseif self.header_line then
    return true
  end
  return self.store:sync()
end

--- Returns all records in the order of the file, unknown kinds too.
---@return table[]
function Log:records()
  local list = {}
  for _, entry in ipairs(self.entries) do
    list[#list + 1] = record.get(entry)
  end
  return list
end

-- The message entries from the leaf back to the first record.
local function branch(self)
  local at = self.leaf and self.by_id[self.leaf]
  return function()
    while at do
      local entry = self.entries[at]
      at = entry.parent and self.by_id[entry.parent]
      if entry.type == "message" then
        return entry
      end
    end
  end
end

--- Counts the messages of the active branch without decoding them.
---@return integer
function Log:count()
  local n = 0
  for _ in branch(self) do
    n = n + 1
  end
  return n
end

local function reversed(list)
  local result = {}
  for i = #list, 1, -1 do
    result[#result + 1] = list[i]
  end
  return result
end

--- Returns the active branch's messages, each tool call answered (repair.lua).
---@param last integer? only so many from the end, back to a user message
---@return panto.Message[]
---@return string[] notes what was mended
function Log:messages(last)
  local backwards, broken = {}, 0
  for entry in branch(self) do
    local value = record.get(entry)
    local message = shape.message(value and value.message)
    if not message then
      broken = broken + 1
    else
      backwards[#backwards + 1] = message
      if last and #backwards >= last and message.role == "user" then
        break
      end
    end
  end
  local list, notes = repair.messages(reversed(backwards))
  if broken > 0 then
    local text = "%d message%s broken in the file: left out"
    table.insert(notes, 1, text:format(broken, broken == 1 and " is" or "s are"))
  end
  return list, notes
end

--- Walks the active branch from its last record back to its first: id, kind, and the record itself
--- unless it is a message.
---@return fun(): string?, string?, table?
function Log:back()
  local at = self.leaf and self.by_id[self.leaf]
  return function()
    local entry = at and self.entries[at]
    if entry then
      at = entry.parent and self.by_id[entry.parent]
      return entry.id, entry.type, entry.type ~= "message" and record.get(entry) or nil
    end
  end
end

--- Returns the id of the record that holds a message of this log; nil when there is none.
---@param message panto.Message the very table that was appended or that `messages` gave
---@return string?
function Log:id_of(message)
  for i = #self.entries, 1, -1 do
    local entry = self.entries[i]
    if entry.record and entry.record.message == message then
      return entry.id
    end
  end
end

--- Closes the file and gives the session free; safe to call again.
function Log:close()
  self.store:close()
end

return log
