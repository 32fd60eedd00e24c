-- The file under a session log: locked, written in whole lines, its torn end set aside.

---@class panto.session.Store
---@field files table panto.sys.fs
---@field path string
---@field pid integer?
---@field size integer bytes known to be good
local Store = {}
Store.__index = Store

local store = {}

local FILE_MODE, FOLDER_MODE = 384, 448 -- 0600, 0700: a conversation is private

--- Makes a store for a path; nothing is opened yet.
---@param files table panto.sys.fs or what stands in for it
---@param path string
---@param pid integer?
---@return panto.session.Store
function store.new(files, path, pid)
  return setmetatable({ files = files, path = path, pid = pid, size = 0 }, Store)
end

local function pid_path(self)
  return self.path .. ".pid"
end

local function locked_elsewhere(self)
  local id = self.path:match("([^/]*)%.jsonl$") or self.path
  local pid = (self.files.read(pid_path(self)) or ""):match("^%d+")
  local whose = pid and (" (pid %s)"):format(pid) or ""
  return ("session %s is open in another panto%s"):format(id:sub(1, 8), whose)
end

-- Who holds the lock; a stale file harms nobody, the lock itself ends with its process.
local function write_pid(self)
  local file = self.pid and self.files.append_open(pid_path(self), FILE_MODE)
  if file then
    file:truncate(0)
    file:write(("%d\n"):format(self.pid))
    file:close()
  end
end

-- False when another panto holds it. A file system without locks is written without one.
local function take_lock(self)
  local held, message = self.files.lock(self.path)
  if not held then
    return not message:find("held by another", 1, true)
  end
  self.held = held
  write_pid(self)
  return true
end

--- Makes the file and its folder and takes the lock.
---@return true?
---@return string? message
function Store:create()
  local ok, message = self.files.mkdir(self.files.dirname(self.path), FOLDER_MODE)
  if ok then
    self.file, message = self.files.append_open(self.path, FILE_MODE)
  end
  if not self.file then
    return nil, message
  end
  if not take_lock(self) then
    self:close()
    return nil, locked_elsewhere(self)
  end
  self.size = self.file:size()
  return true
end

--- Takes the lock of an existing file; with `read_only` only looks at it.
---@param read_only boolean?
---@return integer? size in bytes
---@return string? message
---@return boolean? is_locked another panto has it
function Store:open(read_only)
  local stat, message = self.files.stat(self.path)
  if not stat then
    return nil, message
  elseif read_only then
    self.failure = "it was opened for reading"
    return stat.size
  end
  local file, open_message = self.files.append_open(self.path, FILE_MODE)
  self.file = file
  if not file then
    self.failure = open_message
  elseif not take_lock(self) then
    self:close()
    return nil, locked_elsewhere(self), true
  end
  return file and file:size() or stat.size
end

--- Reads a part of the file.
---@param offset integer
---@param length integer
---@return string? bytes
---@return string? message
function Store:read(offset, length)
  return self.files.read_range(self.path, offset, length)
end

local function set_aside(self, torn)
  local n = 1
  while self.files.exists(("%s.torn-%d"):format(self.path, n)) do
    n = n + 1
  end
  local aside = ("%s.torn-%d"):format(self.path, n)
  local ok, message = self.files.write(aside, torn, { mode = FILE_MODE })
  if not ok then
    return nil, message
  end
  return aside
end

--- Makes the file end in a whole line: a torn one is moved to `<file>.torn-<n>`.
---@param loaded panto.session.Ending
---@return true?
---@return string? message when the file cannot be written
---@return string? note what was done
function Store:mend(loaded)
  self.size = loaded.size
  if not self.file then
    return nil, self.failure
  elseif loaded.torn then
    local aside, message = set_aside(self, loaded.torn)
    local ok = aside
    if aside then
      ok, message = self.file:truncate(loaded.size)
    end
    if not ok then
      return nil, message
    end
    local note = "the last line was cut short (%d bytes); it was moved to %s"
    return true, nil, note:format(#loaded.torn, aside)
  elseif loaded.unended then
    return self:write("\n")
  end
  return true
end

--- Appends whole lines; what a failed write left behind is cut off again.
---@param lines string
---@return true?
---@return string? message
function Store:write(lines)
  local ok, message = self.file:write(lines)
  if not ok then
    self.file:truncate(self.size)
    return nil, message
  end
  self.size = self.size + #lines
  return true
end

--- Makes what was written durable.
---@return true?
---@return string? message
function Store:sync()
  if not self.file then
    return true
  end
  return self.file:sync()
end

--- Closes the file and gives the lock back; safe to call again.
function Store:close()
  if self.file then
    self.file:close()
    self.file = nil
  end
  if self.held then
    if self.pid then
      self.files.remove(pid_path(self))
    end
    self.held:release()
    self.held = nil
  end
end

return store
