-- Sessions on disk for scripts: list them, open one, look through its records.

local env = require("panto.sys.env")
local find = require("panto.session.find")
local fs = require("panto.sys.fs")
local index = require("panto.session.index")
local log = require("panto.session.log")

local session_query = {}

---@class panto.OpenedSession
---@field id string
---@field path string
---@field cwd string
---@field created string ISO 8601, UTC
---@field log panto.session.Log

--- Lists the sessions of a folder, last written first.
---@param cwd string? the current folder when left out
---@return panto.session.Summary[]
function session_query.list(cwd)
  return index.list(env.path("sessions"), cwd or fs.cwd())
end

--- Opens a session for reading: by its file, by the beginning of its id, or the folder's last one.
---@param which string? a path that ends in .jsonl, or the beginning of an id
---@param cwd string? the current folder when left out
---@return panto.OpenedSession?
---@return string? message
function session_query.open(which, cwd)
  local path, message = which, nil
  if not which or not which:find("%.jsonl$") then
    path, message = find.here(env.path("sessions"), cwd or fs.cwd(), which)
  end
  if not path then
    return nil, message
  end
  local opened
  opened, message = log.open(path, { read_only = true, any_version = true })
  if not opened then
    return nil, message
  end
  return {
    id = opened.id,
    path = path,
    cwd = opened.cwd,
    created = opened.created,
    log = opened,
  }
end

local function text_of(message)
  local pieces = {}
  for _, part in ipairs(message.content or {}) do
    pieces[#pieces + 1] = part.text or part.arguments
  end
  return table.concat(pieces, "\n")
end

local function fits(record, wanted)
  local message = type(record.message) == "table" and record.message or {}
  if wanted.type and record.type ~= wanted.type then
    return false
  elseif wanted.role and message.role ~= wanted.role then
    return false
  elseif wanted.text and not text_of(message):find(wanted.text, 1, true) then
    return false
  elseif wanted.tool then
    local is_result = message.tool_name == wanted.tool
    for _, part in ipairs(message.content or {}) do
      is_result = is_result or part.type == "tool_call" and part.name == wanted.tool
    end
    return is_result
  end
  return true
end

--- Returns the records of a session that fit, all in their order when nothing is wanted.
---@param session panto.OpenedSession
---@param wanted { type: string?, role: string?, text: string?, tool: string? }?
---@return table[] each with id, parent, time and type; a message's has `message`
function session_query.query(session, wanted)
  local found = {}
  for _, record in ipairs(session.log:records()) do
    if fits(record, wanted or {}) then
      found[#found + 1] = record
    end
  end
  return found
end

--- Returns an iterator over all records of a session.
---@param session panto.OpenedSession
---@return fun(): table?
function session_query.entries(session)
  local records, at = session.log:records(), 0
  return function()
    at = at + 1
    return records[at]
  end
end

return session_query
