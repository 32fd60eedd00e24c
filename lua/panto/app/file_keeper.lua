-- What a turn's calls of std.write and std.edit are about to change, kept beside the session so that
-- /undo can put it back.

local fs = require("panto.sys.fs")
local settings = require("panto.session.settings")

local CHANGES = { ["std.write"] = true, ["std.edit"] = true }
local SHELL = "std.shell"
local MAX_BYTES = 50 * 1024 * 1024
local OWNER = { entry = "panto", source = "app/file_keeper.lua" }

---@class panto.FileKeeper
---@field conversation panto.Conversation
---@field turn string? record of the message that began the running turn
---@field before table<string, table> by call id: the file as it was
---@field kept table<string, boolean> paths that this turn has kept already
local FileKeeper = {}
FileKeeper.__index = FileKeeper

local file_keeper = {}

local function look(path)
  local stat = fs.stat(path)
  if not stat then
    return { path = path, existed = false }
  elseif stat.type ~= "file" or stat.size > MAX_BYTES then
    return nil
  end
  local bytes = fs.read(path)
  return bytes and { path = path, existed = true, bytes = bytes, mode = stat.mode }
end

local function take_call(self, e)
  local path = type(e.input) == "table" and e.input.path
  if CHANGES[e.tool_name] and type(path) == "string" then
    self.before[e.id] = look(fs.expand(path, self.conversation.setup.cwd))
  end
end

-- The bytes go into a file of the session's folder; the record names it.
local function keep(self, before, fields)
  local log = self.conversation.log
  if before.existed and not self.kept[before.path] then
    local name = ("%s.undo/%s"):format(log.id, log.next_number)
    local place = fs.join(fs.dirname(log.path), name)
    local ok, message = fs.write(place, before.bytes, { parents = true, mode = 384 })
    fields.kept, fields.lost = ok and name or nil, message
    fields.mode = before.mode
  end
  self.kept[before.path] = true
end

local function take_result(self, e)
  local before = self.before[e.id]
  self.before[e.id] = nil
  if e.tool_name == SHELL and self.turn then
    self.conversation:record("custom", { name = "undo", turn = self.turn, shell = true })
  end
  local after = before and fs.read(before.path)
  if not after or not self.turn then
    return
  elseif after == before.bytes and not self.kept[before.path] then
    return -- else an earlier call of the turn changed it, and this one changed it back
  end
  local fields = {
    name = "undo",
    turn = self.turn,
    path = before.path,
    existed = before.existed,
    after = settings.fingerprint(after),
  }
  keep(self, before, fields)
  self.conversation:record("custom", fields)
end

--- Watches the calls of a conversation until it is closed.
---@param conversation panto.Conversation
---@return fun() stop
function file_keeper.start(conversation)
  local self = setmetatable({ conversation = conversation, before = {}, kept = {} }, FileKeeper)
  local bus, stops = conversation.setup.bus, {}
  local function on(name, take)
    stops[#stops + 1] = bus:on(name, function(e)
      take(self, e)
    end, OWNER)
  end
  on("turn_start", function()
    self.turn, self.before, self.kept = conversation.log.leaf, {}, {}
  end)
  on("tool_details", take_call)
  on("tool_result", take_result)
  return function()
    for _, stop in ipairs(stops) do
      stop()
    end
  end
end

return file_keeper
