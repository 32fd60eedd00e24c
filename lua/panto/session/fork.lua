-- The active branch of a session into a session of its own, that goes on by itself.

local fs = require("panto.sys.fs")
local header = require("panto.session.header")
local json = require("panto.base.json")
local log = require("panto.session.log")
local record = require("panto.session.record")
local store = require("panto.session.store")

local fork = {}

local PIECE_LINES = 1000

-- The lines of a branch in their order; a record whose parent was lost hangs on the one before it.
local function branch_lines(source)
  local entries, lines = {}, {}
  for entry in source:walk() do
    table.insert(entries, entry)
  end
  local before
  for i = #entries, 1, -1 do
    local entry = entries[i]
    local line = entry.line and entry.line .. "\n"
    if not line or entry.parent ~= before then
      local made = record.get(entry)
      if made then
        made.parent = before or json.null
        line = record.encode(made)
      end
    end
    lines[#lines + 1] = line
    before = entry.id
  end
  return lines
end

local function write(files, lines)
  local ok, message = files:create()
  for first = 1, #lines, PIECE_LINES do
    local last = math.min(first + PIECE_LINES - 1, #lines)
    if ok then
      ok, message = files:write(table.concat(lines, "", first, last))
    end
  end
  if ok then
    ok, message = files:sync()
  end
  return ok, message
end

local function undo_folder(path)
  return path:gsub("%.jsonl$", "") .. ".undo"
end

-- What is kept for /undo goes along: the session that is copied may be deleted. What cannot be copied
-- is still looked for beside that one.
local function copy_kept(files, source, target)
  local from, to = undo_folder(source), undo_folder(target)
  for _, name in ipairs(files.file_names(from) or {}) do
    local bytes = files.read(fs.join(from, name))
    if bytes then
      files.write(fs.join(to, name), bytes, { parents = true, mode = 384 })
    end
  end
end

--- Copies the active branch of a log into a new session, which is returned open.
---@param source panto.session.Log
---@param options panto.session.CreateOptions
---@return panto.session.Log?
---@return string? message
function fork.copy(source, options)
  options.forked_from = { session = source.id, record = source.leaf }
  local made, path = header.new(options)
  local lines = branch_lines(source)
  if not lines[1] then
    return nil, ("session %s holds nothing to copy"):format(source:short_id())
  end
  table.insert(lines, 1, record.encode(made))
  local files = store.new(options.fs or fs, path, options.pid)
  local ok, message = write(files, lines)
  files:close()
  if not ok then
    files.files.remove(path)
    return nil, message
  end
  copy_kept(options.fs or fs, source.path, path)
  return log.open(path, { pid = options.pid, fs = options.fs })
end

return fork
