-- A session file into what a list shows of it, reading only its two ends.

local chain = require("panto.session.chain")
local header = require("panto.session.header")
local record = require("panto.session.record")
local scan = require("panto.session.scan")
local tally = require("panto.session.tally")
local utf8x = require("panto.base.utf8x")

local digest = {}

local HEAD_BYTES = 256 * 1024
local MAX_TEXT_BYTES = 200

---@class panto.session.Digest
---@field created string ISO 8601, UTC
---@field messages integer of the active branch
---@field first_text string? what the user said first, one line
---@field cwd string

local function text_of(value)
  local message = value and value.message
  if type(message) ~= "table" or message.role ~= "user" or type(message.content) ~= "table" then
    return nil
  end
  for _, part in ipairs(message.content) do
    local is_text = type(part) == "table" and part.type == "text" and not part.note
    if is_text and type(part.text) == "string" then
      return utf8x.cut(part.text:gsub("%s+", " "):gsub("^ ", ""), MAX_TEXT_BYTES)
    end
  end
end

local function first_text(read, first, size)
  for line in scan.forward(read, first, math.min(size, HEAD_BYTES)) do
    local entry = record.parse(line)
    local text = entry and entry.type == "message" and text_of(record.get(entry))
    if text then
      return text
    end
  end
end

local function count(read, first, size)
  local records = chain.new(read, first, function() end)
  local n, more = tally.messages(records:walk(records:last(size)))
  return n + (more and tally.lines(read, first, more.at) or 0)
end

--- Reads the digest of a session file; nil when it is none.
---@param files table panto.sys.fs or what stands in for it
---@param path string
---@return panto.session.Digest?
function digest.read(files, path)
  local stat = files.stat(path)
  if not stat then
    return nil
  end
  local size = stat.size
  local head = files.read_range(path, 0, math.min(size, HEAD_BYTES)) or ""
  local function read(offset, length)
    if offset + length <= #head then
      return head:sub(offset + 1, offset + length)
    end
    return files.read_range(path, offset, length)
  end
  local line = header.read(read)
  local found = header.decode(line)
  if not found then
    return nil
  end
  return {
    created = found.created,
    cwd = found.cwd,
    messages = count(read, #line + 1, size),
    first_text = first_text(read, #line + 1, size),
  }
end

return digest
