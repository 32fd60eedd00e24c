-- Runs a line that begins with "/": the command of that name, or a word about the nearest one.

local nearest = require("panto.base.nearest")
local task = require("panto.sys.task")

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
  -- The wall around a command: its error is told, the session goes on.
  local ok, err = xpcall(command.handler, function(err)
    return task.is_cancelled(err) and err or debug.traceback(tostring(err), 2)
  end, args)
  if not ok then
    if task.is_cancelled(err) then
      error(err, 0)
    end
    tell("error", ("/%s failed (%s): %s"):format(name, command.source, err))
  end
  return true
end

--- Returns the commands that begin with what stands on the line, for the editor's completion.
---@param registry panto.Registry
---@param line string
---@param col integer bytes of the line before the cursor
---@return panto.tui.Completion?
function commands.complete(registry, line, col)
  local typed = line:sub(1, col):match("^/(%S*)$")
  if not typed then
    return nil
  end
  local items = {}
  for _, command in ipairs(registry:commands()) do
    if command.name:sub(1, #typed) == typed then
      items[#items + 1] = {
        label = "/" .. command.name,
        description = command.description,
      }
    end
  end
  return { start = 0, items = items }
end

return commands
