-- The logins of auth.json, by session name: read whole, written whole, changed only under a lock
-- that every panto of this user respects.

local clock = require("panto.sys.clock")
local fs = require("panto.sys.fs")
local json = require("panto.base.json")
local task = require("panto.sys.task")

local OWNER_ONLY = 384 -- 0600
local LOCK_WAIT_MS = 120000
local LOCK_PAUSE_MS = 15

---@class panto.auth.Record
---@field access_token string
---@field refresh_token string?
---@field expires_at integer? seconds since 1970; nil when it never expires
---@field account_id string?
---@field client_id string whom it was given to
---@field token_url string who gave it
---@field exchange panto.auth.Exchanged?

---@class panto.auth.Store
---@field folder string
---@field path string
local Store = {}
Store.__index = Store

---@class panto.auth.Held
---@field entries table<string, any> what the file holds
---@field note string? a broken file was set aside
local Held = {}
Held.__index = Held

local store = {}

--- Makes the store of a folder; nothing is read yet.
---@param folder string
---@return panto.auth.Store
function store.new(folder)
  return setmetatable({ folder = folder, path = fs.join(folder, "auth.json") }, Store)
end

--- Reads all entries; `is_broken` when the file is there and holds no JSON object.
---@return table<string, any>?
---@return string? message
---@return boolean? is_broken
function Store:read()
  local text, message, code = fs.read(self.path)
  if code == "ENOENT" or text and text:find("^%s*$") then
    return {}
  elseif not text then
    return nil, message
  end
  local entries = json.decode(text)
  if type(entries) ~= "table" or entries == json.null or json.is_array(entries) then
    return nil, self.path .. " is damaged: it holds no JSON object", true
  end
  return entries
end

--- Reads the login of a session; nil without a message when there is none.
---@param name string
---@return panto.auth.Record?
---@return string? message
function Store:get(name)
  local entries, message, is_broken = self:read()
  if not entries then
    return nil, not is_broken and message or nil
  end
  return store.record(entries[name])
end

--- Returns an entry if it is a login that this panto understands.
---@param entry any
---@return panto.auth.Record?
function store.record(entry)
  local fits = type(entry) == "table" and type(entry.access_token) == "string"
  return fits and entry or nil
end

local function lock(self)
  local made, message = fs.mkdir(self.folder)
  if not made then
    return nil, message
  end
  local name = fs.join(self.folder, "auth.lock")
  local limit = clock.mono_ms() + LOCK_WAIT_MS
  while true do
    local held
    held, message = fs.lock(name)
    if held then
      return held
    elseif not message:find("held by another process", 1, true) or clock.mono_ms() > limit then
      return nil, message
    end
    task.sleep(LOCK_PAUSE_MS + math.random(LOCK_PAUSE_MS))
  end
end

local function set_aside(self)
  local aside = ("%s.damaged-%s"):format(self.path, os.date("!%Y%m%dT%H%M%SZ"))
  local moved, message = fs.rename(self.path, aside)
  if not moved then
    return nil, message
  end
  return ("%s was damaged and is set aside as %s"):format(self.path, fs.basename(aside))
end

--- Locks the store and reads it anew; a damaged file is set aside first. Close what comes back
--- (`local held <close> = …`). Waits for another panto that holds the lock, so call it in a task.
---@return panto.auth.Held?
---@return string? message
function Store:open()
  local locked, message = lock(self)
  if not locked then
    return nil, message
  end
  local held = setmetatable({ store = self, lock = locked }, Held)
  local is_broken
  held.entries, message, is_broken = self:read()
  if is_broken then
    held.entries = {}
    held.note, message = set_aside(self)
    held.entries = held.note and held.entries
  end
  if not held.entries then
    locked:release()
    return nil, message
  end
  return held
end

--- Writes the login of a session (nil removes it); all other entries stay as they are.
---@param name string
---@param record panto.auth.Record?
---@return true?
---@return string? message
function Held:set(name, record)
  self.entries[name] = record
  local target = fs.real(self.store.path) or fs.link_target(self.store.path)
  -- A file of its own, renamed: an existing one's mode could be any.
  local beside = target .. ".new"
  fs.remove(beside)
  local text = json.encode(self.entries) .. "\n"
  local written, message = fs.write(beside, text, { mode = OWNER_ONLY })
  if not written then
    return nil, message
  end
  return fs.rename(beside, target)
end

--- Gives the lock back; safe to call again.
function Held:close()
  self.lock:release()
end

Held.__close = Held.close

return store
