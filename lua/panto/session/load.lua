-- The two ends of a session file: its header, and whether its last line is whole.

local json = require("panto.base.json")
local record = require("panto.session.record")
local scan = require("panto.session.scan")

local load_session = {}

load_session.VERSION = 1

local HEADER_BYTES, MAX_HEADER_BYTES = 4096, 1024 * 1024

---@class panto.session.Ending
---@field size integer bytes that are good
---@field torn string? what follows them: a line whose writing was cut short
---@field unended boolean the last line is whole but lacks its line end

--- Decodes a file's first line, whatever its version.
---@param line string?
---@return table? header
---@return string? message
function load_session.decode_header(line)
  local header = line and json.decode(line)
  if type(header) ~= "table" or header.type ~= "session" or type(header.id) ~= "string" then
    return nil, "is not a panto session"
  end
  header.created = type(header.created) == "string" and header.created or ""
  header.cwd = type(header.cwd) == "string" and header.cwd or ""
  return header
end

--- Checks a file's first line.
---@param line string?
---@return table? header
---@return string? message
function load_session.header(line)
  local header, message = load_session.decode_header(line)
  if not header then
    return nil, message
  elseif math.type(header.version) ~= "integer" or header.version > load_session.VERSION then
    local text = "was written by a newer panto (session version %s); update panto to go on with it"
    return nil, text:format(header.version)
  end
  return header
end

--- Reads the first line of a file.
---@param read panto.session.Read
---@return string? line without its line end; nil when there is none
function load_session.read_first_line(read)
  local length = HEADER_BYTES
  repeat
    local line = (read(0, length) or ""):match("^([^\n]*)\n")
    length = length * 16
    if line then
      return line
    end
  until length > MAX_HEADER_BYTES
end

--- Looks at what follows a file's last line end.
---@param read panto.session.Read
---@param first integer where the records begin
---@param size integer
---@return panto.session.Ending
function load_session.read_ending(read, first, size)
  local tail, at = scan.backward(read, first, size)()
  if not tail or tail == "" then
    return { size = size, unended = false }
  elseif record.decode(tail) and record.parse(tail) then
    return { size = size, unended = true }
  end
  return { size = at, torn = tail, unended = false }
end

return load_session
