-- Runs a line that begins with "/": the command of that name, or a word about the nearest one.

local fuzzy = require("panto.app.files.fuzzy")
local guard = require("panto.sys.guard")
local nearest = require("panto.base.nearest")
local task = require("panto.sys.task")
local traceback = require("panto.base.traceback")
local watchdog = require("panto.sys.watchdog")

local commands = {}

local function names(registry)
  local list = {}
  for _, command in ipairs(registry:commands()) do
    list[#list + 1] = command.name
  end
  return list
end

local function unknown(registry, name)
  local text = ("There is no command /%s."):format(name)
  local found = nearest.find(name, names(registry), 1)[1]
  if found then
    return text .. (" Did you mean /%s?"):format(found)
  end
  local known = names(registry)
  if known[1] then
    return text .. " Commands: /" .. table.concat(known, ", /") .. "."
  end
  return text .. " No extension has registered one."
end

local function trace(err)
  if task.is_cancelled(err) then
    return err
  end
  return guard.show(err) .. traceback.cut(debug.traceback("", 2))
end

--- Calls what an extension has registered; an error is told with entry and file, the session goes on.
---@param item { entry: string?, source: string?, account: panto.Account? } the command or key
---@param title string such as "/greet"
---@param tell fun(level: string, text: string)
---@param fn function
---@param ... any
---@return boolean ok
---@return any result
function commands.call(item, title, tell, fn, ...)
  local before = os.clock()
  local ok, result = watchdog.call(fn, trace, ...)
  if not ok and task.is_cancelled(result) then
    error(result, 0)
  end
  local account = item.account
  if account then
    account.calls = account.calls + 1
    account.errors = account.errors + (ok and 0 or 1)
    account.seconds = account.seconds + os.clock() - before
  end
  if not ok then
    local text = "%s of %s failed (%s): %s"
    tell("error", text:format(title, item.entry or "?", item.source or "?", result))
  end
  return ok, result
end

--- Runs a command line; a problem is told through `tell`. False when there is no such command.
---@param registry panto.Registry
---@param line string with the leading slash
---@param tell fun(level: string, text: string)
---@return boolean found
function commands.run(registry, line, tell)
  local name, args = line:match("^/(%S*)%s*(.-)%s*$")
  local command = registry:get_command(name)
  if not command then
    tell("error", unknown(registry, name))
    return false
  end
  commands.call(command, "/" .. name, tell, command.handler, args)
  return true
end

local NO_WAIT = "complete cannot wait: the screen stands still until it is back"

local function choices(given, typed)
  local items = {}
  for _, item in ipairs(type(given) == "table" and given or {}) do
    item = type(item) == "table" and item or { label = tostring(item) }
    local value = item.value == nil and item.label or item.value
    if type(value) == "string" and value:sub(1, #typed) == typed then
      items[#items + 1] = {
        label = tostring(item.label or value),
        value = value,
        description = item.description,
      }
    end
  end
  return items
end

-- What a command says its arguments may become.
local function complete_args(registry, typed, tell)
  local name, start, args = typed:match("^/(%S+)%s+()(.*)$")
  local command = name and registry:get_command(name)
  if not (command and command.complete) or command.is_broken then
    return nil
  end
  local former = task.forbid_wait(NO_WAIT)
  local ok, given =
    commands.call(command, "/" .. name .. "'s complete", tell, command.complete, args)
  command.is_broken = not ok
  task.forbid_wait(former)
  return { start = start - 1, items = choices(given, args) }
end

-- The commands that begin with what is typed, then those that have its letters in order.
local function fitting(registry, typed)
  local found, names_left, others = {}, {}, {}
  for _, command in ipairs(registry:commands()) do
    local name = command.name
    if name:sub(1, #typed) == typed then
      found[#found + 1] = command
    else
      names_left[#names_left + 1], others[name] = name, command
    end
  end
  for _, name in ipairs(fuzzy.new(names_left):find(typed, #names_left)) do
    found[#found + 1] = others[name]
  end
  return found
end

--- Returns the commands that fit what stands on the line, or what a command's arguments may become,
--- for the editor's completion.
---@param registry panto.Registry
---@param line string
---@param col integer bytes of the line before the cursor
---@param tell fun(level: string, text: string)
---@return panto.tui.Completion?
function commands.complete(registry, line, col, tell)
  local before = line:sub(1, col)
  local typed = before:match("^/(%S*)$")
  if not typed then
    return complete_args(registry, before, tell)
  end
  local items = {}
  for index, command in ipairs(fitting(registry, typed)) do
    items[index] = { label = "/" .. command.name, description = command.description }
  end
  return { start = 0, items = items }
end

return commands
