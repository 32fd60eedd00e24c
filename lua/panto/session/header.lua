-- The first line of a session file: what says whose it is and how it is written.

local clock = require("panto.sys.clock")
local folder = require("panto.session.folder")
local json = require("panto.base.json")
local random = require("panto.sys.random")
local uuid = require("panto.base.uuid")

local header = {}

header.VERSION = 1

local HEADER_BYTES, MAX_HEADER_BYTES = 4096, 1024 * 1024

---@class panto.session.CreateOptions
---@field dir string the folder of all sessions
---@field cwd string
---@field id string? default: a new UUIDv7
---@field now_ms (integer|fun(): integer)? the moment of creation, or the clock to use
---@field version string panto's version, for the header
---@field pid integer? named to a second panto that wants the session
---@field forked_from { session: string, record: string? }? where its first records come from
---@field fs table? stands in for panto.sys.fs

--- Returns the header of a new session, and the path of its file.
---@param options panto.session.CreateOptions
---@return table header
---@return string path
function header.new(options)
  local now_ms = options.now_ms or clock.now_ms
  local created_ms = type(now_ms) == "function" and now_ms() or now_ms
  local made = {
    type = "session",
    version = header.VERSION,
    id = options.id or uuid.v7(created_ms, random.bytes(16)),
    cwd = options.cwd,
    created = clock.iso(created_ms),
    panto = options.version,
    forked_from = options.forked_from,
  }
  return made, ("%s/%s.jsonl"):format(folder.path(options.dir, options.cwd), made.id)
end

--- Decodes a file's first line, whatever its version.
---@param line string?
---@return table? header
---@return string? message
function header.decode(line)
  local found = line and json.decode(line)
  if type(found) ~= "table" or found.type ~= "session" or type(found.id) ~= "string" then
    return nil, "is not a panto session"
  end
  found.created = type(found.created) == "string" and found.created or ""
  found.cwd = type(found.cwd) == "string" and found.cwd or ""
  return found
end

--- Checks a file's first line.
---@param line string?
---@return table? header
---@return string? message
---@return string? newer the version, when panto is too old to go on with the session
function header.check(line)
  local found, message = header.decode(line)
  if not found then
    return nil, message
  elseif math.type(found.version) ~= "integer" or found.version > header.VERSION then
    local version = tostring(found.version)
    local text = "was written by a newer panto (session version %s); update panto to go on with it"
    return nil, text:format(version), version
  end
  return found
end

--- Reads the first line of a file.
---@param read panto.session.Read
---@return string? line without its line end; nil when there is none
function header.read(read)
  local length = HEADER_BYTES
  repeat
    local line = (read(0, length) or ""):match("^([^\n]*)\n")
    length = length * 16
    if line then
      return line
    end
  until length > MAX_HEADER_BYTES
end

return header
