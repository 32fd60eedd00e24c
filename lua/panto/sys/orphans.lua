-- Ends the commands that a killed panto leaves behind: a small shell knows their groups and waits
-- for the end of its input, which comes with panto's own, however that came about.

local uv = require("luv")

local orphans = {}

local SCRIPT = [[
alive=
while read -r sign group; do
  case $sign in
  +) alive="$alive $group" ;;
  -)
    left=
    for one in $alive; do [ "$one" = "$group" ] || left="$left $one"; done
    alive=$left
    ;;
  esac
done
for one in $alive; do kill -9 "-$one"; done
]]

local is_wanted = false
local pipe = nil ---@type table?

--- Has what is started from now on ended with panto; a plain `panto lua` leaves its commands running.
function orphans.watch()
  is_wanted = true
end

local function open()
  local input = assert(uv.new_pipe(false))
  local handle = uv.spawn("/bin/sh", {
    args = { "-c", SCRIPT, "panto-orphans" },
    stdio = { input },
    detached = true,
  }, function()
    pipe = nil
    input:close()
  end)
  if not handle then
    input:close()
    return nil
  end
  handle:unref()
  input:unref()
  return input
end

--- Adds a group, by the number of its first process.
---@param group integer
function orphans.add(group)
  pipe = pipe or is_wanted and open() or nil
  if pipe then
    pipe:write(("+ %d\n"):format(group))
  end
end

--- Removes a group whose first process has ended.
---@param group integer
function orphans.remove(group)
  if pipe then
    pipe:write(("- %d\n"):format(group))
  end
end

return orphans
