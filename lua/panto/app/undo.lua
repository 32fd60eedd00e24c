-- Puts back the files that the last turn changed, as far as they are still what it left.

local file_keeper = require("panto.app.file_keeper")
local fs = require("panto.sys.fs")
local record = require("panto.session.record")
local settings = require("panto.session.settings")

local undo = {}

---@class panto.UndoPlan
---@field turn string
---@field paths string[] newest change first
---@field first table<string, table> the record with the bytes of before
---@field last table<string, table> the record with the mark of after
---@field shells integer commands that the turn ran

local function add(plan, value)
  if value.shell then
    plan.shells = plan.shells + 1
  elseif type(value.path) == "string" then
    if not plan.last[value.path] then
      plan.last[value.path] = value
      table.insert(plan.paths, value.path)
    end
    plan.first[value.path] = value
  end
end

-- The last turn that changed a file and was not undone; turns that only ran commands are passed.
local function read_plan(log)
  local plans, undone = {}, {}
  local plan
  for entry in log:walk() do
    local value = entry.type == "custom" and record.get(entry) or {}
    local turn = value.turn
    if value.name == "undone" and turn then
      undone[turn] = true
    elseif value.name == "undo" and turn and not undone[turn] then
      plans[turn] = plans[turn] or { turn = turn, paths = {}, first = {}, last = {}, shells = 0 }
      add(plans[turn], value)
      plan = plan or value.path and plans[turn] or nil
    elseif plan and entry.id == plan.turn then
      return plan
    end
  end
  return plan
end

-- The bytes of before: beside the session, or beside the one that it is a copy of.
local function read_kept(log, kept)
  local folder = fs.dirname(log.path)
  local bytes = fs.read(fs.join(folder, log.id .. ".undo/" .. fs.basename(kept)))
  if bytes then
    return bytes
  end
  return fs.read(fs.join(folder, kept))
end

local function put_back(log, path, plan)
  local folder = fs.dirname(log.path)
  local first, last = plan.first[path], plan.last[path]
  local now, gone = fs.read(path)
  if not now then
    return nil, ("%s: left alone (%s)"):format(path, gone)
  elseif settings.fingerprint(now) ~= last.after then
    local kept = first.kept and "; as it was before: " .. fs.join(folder, first.kept) or ""
    return nil, ("%s: has changed since, left alone%s"):format(path, kept)
  elseif not first.existed then
    local ok, message = fs.remove(path)
    return ok and ("%s: removed, it was new"):format(path), message
  elseif not first.kept then
    return nil, ("%s: cannot be put back, it was not kept (%s)"):format(path, first.lost or "?")
  end
  local bytes, message = read_kept(log, first.kept)
  local ok = bytes
  if bytes then
    ok, message = fs.write(path, bytes, { mode = first.mode })
  end
  return ok and ("%s: put back"):format(path), ("%s: cannot be put back (%s)"):format(path, message)
end

-- The files that calls were about to change when panto was ended: nobody knows what they left.
local function cut_off(log)
  local folder, left = log.path:gsub("%.jsonl$", "") .. ".undo", {}
  for _, name in ipairs(fs.file_names(folder) or {}) do
    local kept = fs.join(folder, name:sub(1, -#file_keeper.NAMED - 1))
    local path = name:sub(-#file_keeper.NAMED) == file_keeper.NAMED
      and fs.read(fs.join(folder, name))
    local now = path and fs.read(path)
    if path and now ~= fs.read(kept) then
      local text = "%s: a call that changed it was cut off, left alone; as it was before: %s"
      left[#left + 1] = text:format(path, kept)
    end
  end
  return left
end

local NOTE = "[The user has taken back what an earlier turn of yours changed, with /undo. "
  .. "These files are again as they were before it:\n%s%s\nRead a file again before you edit it.]"

-- What the model is told: it would go on with files that are no longer there.
local function note_of(done, left)
  local not_undone = left[1] and "\nNot undone:\n- " .. table.concat(left, "\n- ") or ""
  return NOTE:format("- " .. table.concat(done, "\n- "), not_undone)
end

--- Returns what the model has not been told yet of files that were put back, oldest first, as parts
--- of the next message.
---@param log panto.session.Log
---@return panto.TextPart[]
function undo.notes(log)
  local parts = {}
  for entry in log:walk() do
    local value = entry.type == "custom" and record.get(entry) or {}
    if entry.type == "message" then
      break
    elseif value.name == "undone" and type(value.note) == "string" then
      table.insert(parts, 1, { type = "text", text = value.note, note = true })
    end
  end
  return parts
end

--- Undoes the last turn's changes of files; returns what was done and what was not, nil when there
--- is nothing to undo.
---@param conversation panto.Conversation
---@return string[]? done
---@return string[]? left what could not be put back, and why
function undo.run(conversation)
  local log = conversation.log
  local plan, done, left = read_plan(log), {}, cut_off(log)
  if not plan then
    return left[1] and done, left
  end
  for _, path in ipairs(plan.paths) do
    local text, problem = put_back(log, path, plan)
    table.insert(text and done or left, text or problem)
  end
  if plan.shells > 0 then
    local text = "%d shell command%s of that turn: what they changed cannot be put back"
    left[#left + 1] = text:format(plan.shells, plan.shells == 1 and "" or "s")
  end
  if done[1] then
    local note = note_of(done, left)
    conversation:record("custom", { name = "undone", turn = plan.turn, note = note })
  end
  return done, left
end

return undo
