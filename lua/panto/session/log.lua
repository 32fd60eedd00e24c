-- One session as an append-only JSONL file: a header line, then records that hang on each other.

local chain = require("panto.session.chain")
local clock = require("panto.sys.clock")
local context = require("panto.session.context")
local ending_of = require("panto.session.ending")
local fs = require("panto.sys.fs")
local header_line = require("panto.session.header")
local json = require("panto.base.json")
local record = require("panto.session.record")
local scan = require("panto.session.scan")
local store = require("panto.session.store")
local tally = require("panto.session.tally")

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

local NEWER = "the session was written by a newer panto (session version %s): "
  .. "what this one does not know is left out"

local function clock_of(now_ms)
  return type(now_ms) == "function" and now_ms or clock.now_ms
end

local function new_log(header, path, options, files)
  local self = setmetatable({
    id = header.id,
    cwd = header.cwd,
    created = header.created,
    path = path,
    notes = {},
    memory_only = false,
    unsaved = {},
    ids = setmetatable({}, { __mode = "k" }),
    next_number = 1,
    now_ms = clock_of(options.now_ms),
    store = files,
  }, Log)
  return self
end

local function make_chain(self, first)
  local function read(offset, length)
    return self.store:read(offset, length)
  end
  self.first = first
  self.chain = chain.new(read, first, function(text)
    table.insert(self.notes, text)
  end)
  return read
end

--- Makes a log whose file comes with its first record.
---@param options panto.session.CreateOptions
---@return panto.session.Log
function log.create(options)
  local header, path = header_line.new(options)
  local files = store.new(options.fs or fs, path, options.pid)
  local self = new_log(header, path, options, files)
  self.header_line = record.encode(header)
  make_chain(self, #self.header_line)
  return self
end

-- From here on the session lives in memory only.
local function lose(self, message)
  self.memory_only = true
  self.size = self.store.size
  self.failure = ("session %s is not saved from here on: %s"):format(self:short_id(), message)
  return nil, self.failure
end

local function mend(self, ending)
  local ok, message, note = self.store:mend(ending)
  if note then
    table.insert(self.notes, note)
  end
  if not ok then
    lose(self, message)
    table.insert(self.notes, self.failure)
  end
end

---@class panto.session.OpenOptions
---@field now_ms (fun(): integer)?
---@field pid integer?
---@field fs table? stands in for panto.sys.fs
---@field read_only boolean? takes no lock and mends nothing
---@field any_version boolean? with `read_only`: of a newer panto too, as far as it can be understood

--- Opens a session's file for reading and appending, and mends its end.
---@param path string
---@param options panto.session.OpenOptions?
---@return panto.session.Log?
---@return string? message
---@return boolean? is_locked another panto has it open
function log.open(path, options)
  options = options or {}
  local files = store.new(options.fs or fs, path, options.pid)
  local size, message, is_locked = files:open(options.read_only)
  if not size then
    return nil, message, is_locked
  end
  local line = header_line.read(function(offset, length)
    return files:read(offset, length)
  end)
  local header, newer
  header, message, newer = header_line.check(line)
  if newer and options.any_version and options.read_only then
    header = header_line.decode(line)
  end
  if not header then
    files:close()
    return nil, ("%s %s"):format(path, message)
  end
  local self = new_log(header, path, options, files)
  local read = make_chain(self, #line + 1)
  local ending = ending_of.read(read, self.first, size)
  self.size = ending.size
  if newer then
    table.insert(self.notes, NEWER:format(newer))
  end
  if options.read_only then
    self.memory_only, self.failure = true, files.failure
  else
    mend(self, ending)
  end
  self:set_tip(self.chain:last(ending.size))
  self.next_number = tally.next_number(self:walk())
  return self
end

--- Sets the record that the next one hangs on: the end of the active branch.
---@param entry panto.session.Entry?
function Log:set_tip(entry)
  self.tip, self.leaf = entry, entry and entry.id or nil
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

-- The record with what the log gives it; a message counts the messages of its branch.
local function make_record(self, kind, fields)
  local made = {
    id = ("%d"):format(self.next_number),
    parent = self.leaf or json.null,
    time = clock.iso(self.now_ms()),
    type = kind,
    n = kind == "message" and (self:count()) + 1 or nil,
  }
  self.next_number = self.next_number + 1
  for key, value in pairs(fields) do
    made[key] = value
  end
  return made
end

-- Where the file would take it, or that it is in memory only.
local function save(self, entry, line)
  if self.memory_only then
    table.insert(self.unsaved, entry)
    return true
  end
  local ok, message = write_line(self, line)
  if ok then
    entry.at = self.store.size - #line
    if entry.type == "message" then
      ok, message = self.store:sync()
    end
  else
    table.insert(self.unsaved, entry)
  end
  if not ok then
    return lose(self, message)
  end
  return true
end

--- Appends a record and, for a message, makes it durable. On failure it is kept in memory only.
---@param kind "message"|"model"|"reasoning"|"system"|"compaction"|"custom"|string
---@param fields table the record's own fields, such as { message = … }
---@return string? id
---@return string? message once, when the file can no longer be written
function Log:append(kind, fields)
  if fields.id or fields.parent or fields.time or fields.type or fields.n then
    error("a record's id, parent, time, type and n are given by the log", 2)
  end
  local made = make_record(self, kind, fields)
  local entry = {
    id = made.id,
    parent = self.leaf,
    type = kind,
    n = made.n,
    record = made,
    before = self.tip or false,
  }
  self:set_tip(entry)
  if kind == "message" then
    self.ids[made.message] = made.id
  end
  local ok, message = save(self, entry, record.encode(made))
  if not ok then
    return nil, message
  end
  return entry.id
end

--- Returns the size of the file in bytes.
---@return integer
function Log:bytes()
  return self.memory_only and self.size or self.store.size
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

--- Iterates over the entries of the file from its first, and over what is in memory only.
---@return fun(): panto.session.Entry?
function Log:entries()
  local lines = self.header_line and function() end
    or scan.forward(self.chain.read, self.first, self:bytes())
  local unsaved = 0
  return function()
    for line, at in lines do
      local entry = line ~= "" and record.parse(line)
      if entry then
        entry.at = at
        return entry
      end
    end
    unsaved = unsaved + 1
    return self.unsaved[unsaved]
  end
end

--- Returns all records in the order of the file, unknown kinds too.
---@return table[]
function Log:records()
  local list = {}
  for entry in self:entries() do
    list[#list + 1] = record.get(entry)
  end
  return list
end

--- Returns an entry's record, read again from the file when it was let go.
---@param entry panto.session.Entry
---@return table?
function Log:get(entry)
  if not entry.record and not entry.line and entry.at then
    local lines = scan.forward(self.chain.read, entry.at, self:bytes())
    entry.line = lines()
  end
  return record.get(entry)
end

--- Makes another record the end of the active branch: the next one hangs on it. Nothing is removed.
---@param entry panto.session.Entry? of this log; nil: before the first record
function Log:go_to(entry)
  if entry and entry.at then
    self:get(entry)
  end
  self:set_tip(entry)
end

--- Returns the entry that another hangs on; nil for the first one.
---@param entry panto.session.Entry
---@return panto.session.Entry?
function Log:before(entry)
  return self.chain:before(entry)
end

--- Iterates over the entries of the active branch from its last to its first.
---@return fun(): panto.session.Entry?
function Log:walk()
  return self.chain:walk(self.tip)
end

--- Walks the active branch from its last record back to its first: id, kind, and the record itself
--- unless it is a message.
---@return fun(): string?, string?, table?
function Log:back()
  local walk = self:walk()
  return function()
    local entry = walk()
    if entry then
      return entry.id, entry.type, entry.type ~= "message" and record.get(entry) or nil
    end
  end
end

--- Counts the messages of the active branch; in a long file of another program's, which says nothing
--- of it, all that look like one.
---@param is_quick boolean? rather than read such a file, count its last ones alone
---@return integer
---@return boolean is_all
function Log:count(is_quick)
  local n, more = tally.messages(self:walk())
  if more and more.at and not is_quick then
    return n + tally.lines(self.chain.read, self.first, more.at), true
  end
  return n, not more
end

--- Returns the messages of the next request: the active branch, the last compaction honoured, each
--- tool call answered (context.lua).
---@param last integer? only so many from the end, back to a user message, for the screen
---@return panto.Message[]
---@return string[] notes what was mended or left out
function Log:messages(last)
  return context.read(self:walk(), self.ids, last)
end

--- Returns the id of the record that holds a message of this log; nil when there is none.
---@param message panto.Message the very table that was appended or that `messages` gave
---@return string?
function Log:id_of(message)
  return self.ids[message]
end

--- Closes the file and gives the session free; safe to call again.
function Log:close()
  self.store:close()
end

return log
