-- What stands behind an "@" into the files it may mean: those of the working folder, or of the
-- folder that is named.

local clock = require("panto.sys.clock")
local fs = require("panto.sys.fs")
local fuzzy = require("panto.app.files.fuzzy")
local path = require("panto.sys.path")
local task = require("panto.sys.task")
local walk = require("panto.app.files.walk")

local FRESH_MS, SHOWN, MOST_LISTED = 5000, 50, 2000

---@class panto.Files
---@field cwd string
---@field finder panto.Fuzzy? over the paths that the last walk has found, complete or not
---@field walked_ms number? when the last walk ended
---@field walker panto.Task? the walk that runs
---@field grown fun() called when more paths are known
local Files = {}
Files.__index = Files

local files = {}

--- Makes the completion of a folder; nothing is read before it is first asked.
---@param cwd string
---@param grown fun()
---@return panto.Files
function files.new(cwd, grown)
  return setmetatable({ cwd = cwd, grown = grown }, Files)
end

local function start_walk(self)
  local is_fresh = self.walked_ms and clock.mono_ms() - self.walked_ms < FRESH_MS
  if is_fresh or self.walker and not self.walker:done() then
    return
  end
  local found = {}
  if not self.walked_ms then
    self.finder = fuzzy.new(found)
  end
  self.walker = task.run(function()
    walk.run(self.cwd, found)
    self.finder, self.walked_ms = fuzzy.new(found), clock.mono_ms()
    self.grown()
  end)
end

-- A path with blanks would end at the first of them.
local function written(name)
  return name:find("%s") and '@"' .. name .. '"' or "@" .. name
end

local function item_of(name)
  local goes_on = name:sub(-1) == "/"
  return {
    label = name,
    value = goes_on and "@" .. name or written(name) .. " ",
    goes_on = goes_on or nil,
  }
end

-- ~/x, /x and ../x: the names in one folder that begin with what is typed.
local function list_outside(self, typed)
  local lead, begin = typed:match("^(.*/)([^/]*)$")
  if not lead then
    return {}
  end
  local items = {}
  for index, entry in ipairs(fs.list(path.expand(lead, self.cwd)) or {}) do
    local fits = entry.name:sub(1, #begin) == begin
    if fits and (begin ~= "" or entry.name:sub(1, 1) ~= ".") then
      items[#items + 1] = item_of(lead .. entry.name .. (entry.type == "directory" and "/" or ""))
    end
    if #items == SHOWN or index == MOST_LISTED then
      break
    end
  end
  return items
end

--- Returns the completions of an "@" before the cursor; nil where there is none.
---@param line string
---@param col integer bytes of the line before the cursor
---@return panto.tui.Completion?
function Files:complete(line, col)
  local before = line:sub(1, col)
  local start, typed = before:match("()@([^%s@]*)$")
  if not start or before:sub(start - 1, start - 1):find("[%w]") then
    return nil
  end
  if typed:find("^[~/]") or typed:find("^%.%.?/") then
    return { start = start - 1, items = list_outside(self, typed) }
  end
  start_walk(self)
  local items = {}
  for _, name in ipairs(self.finder:find(typed, SHOWN)) do
    if name ~= typed then -- a folder that is there already
      items[#items + 1] = item_of(name)
    end
  end
  return { start = start - 1, items = items }
end

return files
