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
---@field serial integer how many files were kept
local FileKeeper = {}
FileKeeper.__index = FileKeeper

-- NAMED ends the name of a file that tells whose bytes the one beside it holds.
local file_keeper = { NAMED = ".of" }

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

-- The bytes go into a file of the session's folder before the call changes anything, with its name
-- beside them until a record tells it: a panto that is killed in the call leaves both.
local function keep(self, before)
  local log = self.conversation.log
  self.serial = self.serial + 1
  local name = ("%s.undo/%s-%d"):format(log.id, log.next_number, self.serial)
  local place = fs.join(fs.dirname(log.path), name)
  local options = { parents = true, mode = 384 }
  local ok, message = fs.write(place, before.bytes, options)
  if ok then
    ok, message = fs.write(place .. file_keeper.NAMED, before.path, options)
  end
  before.place, before.name, before.lost = place, ok and name or nil, message
end

local function forget(before)
  if before.place then
    fs.remove(before.place)
    fs.remove(before.place .. file_keeper.NAMED)
  end
end

local function take_call(self, e)
  local path = type(e.input) == "table" and e.input.path
  if not CHANGES[e.tool_name] or type(path) ~= "string" then
    return
  end
  local before = look(fs.expand(path, self.conversation.setup.cwd))
  self.before[e.id] = before
  if before and before.existed and self.turn and not self.kept[before.path] then
    keep(self, before)
  end
end

local function record_change(self, before, after)
  local is_first = not self.kept[before.path]
  self.kept[before.path] = true
  self.conversation:record("custom", {
    name = "undo",
    turn = self.turn,
    path = before.path,
    existed = before.existed,
    after = settings.fingerprint(after),
    kept = is_first and before.name or nil,
    lost = is_first and before.lost or nil,
    mode = is_first and before.mode or nil,
  })
  if not is_first then
    forget(before)
  elseif before.place then
    fs.remove(before.place .. file_keeper.NAMED)
  end
end

local function take_result(self, e)
  local before = self.before[e.id]
  self.before[e.id] = nil
  if e.tool_name == SHELL and self.turn then
    self.conversation:record("custom", { name = "undo", turn = self.turn, shell = true })
  end
  local after = before and fs.read(before.path)
  if not before then
    return
  elseif not self.turn or after == before.bytes and not self.kept[before.path] then
    forget(before) -- had it been kept, an earlier call changed it, and this one changed it back
  elseif after then
    record_change(self, before, after)
  end
end

--- Watches the calls of a conversation until it is closed.
---@param conversation panto.Conversation
---@return fun() stop
function file_keeper.start(conversation)
  local self =
    setmetatable({ conversation = conversation, before = {}, kept = {}, serial = 0 }, FileKeeper)
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
